package dev.rondo.connection.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigException;

/** Reads and writes PGPASSFILE, libpq's file of passwords for psql, psycopg and the JDBC driver. */
public final class PasswordFile {
  private static final String ANY = "*";
  private static final int USER = 3;
  private static final int FIELDS = 5;

  private PasswordFile() {}

  /**
   * Returns the password of the first matching line; empty without one, or without a file.
   *
   * @param target host, port, database and user
   * @throws ConfigException if the file cannot be read
   */
  static String password(Path file, List<String> target) {
    try {
      for (String line : lines(file)) {
        List<String> fields = fields(line);
        if (fields.size() == FIELDS && matches(fields, target)) {
          return fields.get(FIELDS - 1);
        }
      }
      return "";
    } catch (IOException e) {
      throw new ConfigException(
          "the passwords in " + file + " cannot be read: " + e + " (passfile)");
    }
  }

  private static boolean matches(List<String> fields, List<String> target) {
    for (int n = 0; n < target.size(); n++) {
      if (!fields.get(n).equals(ANY) && !fields.get(n).equals(target.get(n))) {
        return false;
      }
    }
    return true;
  }

  /** Splits at colons; a backslash escapes the next character. */
  private static List<String> fields(String line) {
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    for (int at = 0; at < line.length(); at++) {
      char c = line.charAt(at);
      if (c == ':' && fields.size() < FIELDS - 1) {
        fields.add(field.toString());
        field.setLength(0);
      } else if (c == '\\' && at + 1 < line.length()) {
        field.append(line.charAt(++at));
      } else {
        field.append(c);
      }
    }
    fields.add(field.toString());
    return fields;
  }

  /** Returns the passwords in a file by user, for any host and database; empty without a file. */
  public static Map<String, String> byUser(Path file) throws IOException {
    Map<String, String> passwords = new LinkedHashMap<>();
    for (String line : lines(file)) {
      List<String> fields = fields(line);
      if (fields.size() == FIELDS) {
        passwords.putIfAbsent(fields.get(USER), fields.get(FIELDS - 1));
      }
    }
    return passwords;
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  /**
   * Writes passwords by user, for one server and database, so that a client sends none to another.
   * Only the owner can read the file.
   *
   * @param server host, port and database of the passwords
   */
  public static void write(Path file, PostgresUrl server, Map<String, String> passwords)
      throws IOException {
    write(file, server.target().subList(0, USER), passwords);
  }

  /** Like {@link #write}, for any database of the server. */
  public static void writeOfServer(Path file, PostgresUrl server, Map<String, String> passwords)
      throws IOException {
    List<String> target = server.target();
    write(file, List.of(target.get(0), target.get(1), ANY), passwords);
  }

  private static void write(Path file, List<String> target, Map<String, String> passwords)
      throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(unfinished);
    Files.createFile(
        unfinished,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    List<String> lines = new ArrayList<>();
    passwords.forEach(
        (user, password) ->
            lines.add(
                Stream.concat(target.stream(), Stream.of(user, password))
                    .map(PasswordFile::escaped)
                    .collect(Collectors.joining(":"))));
    Files.write(unfinished, lines);
    Files.move(
        unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace(":", "\\:");
  }
}
