package dev.rondo.local.settings;

import dev.rondo.connection.postgres.PasswordFile;
import dev.rondo.connection.postgres.PostgresUrl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The files of the database's passwords in the data folder. That of the folder has all of a started
 * server, for the starter and its commands; each part has one with the password of its own role, so
 * that it has nothing else to give away. Neither arguments nor Connect's topics nor {@code status
 * --json} has any.
 */
public final class Passwords {
  private static final String FILE = "pgpass";
  private static final int BITS = 160;

  private Passwords() {}

  /**
   * The URL of a server that is started here, with the file of the passwords of these users; makes
   * missing ones. The server must prove by SCRAM that it knows them.
   *
   * @param owner user of the URL
   */
  public static PostgresUrl ofStarted(String owner, int port, Home home, List<String> users) {
    var url =
        PostgresUrl.parse(
            "postgresql://%s@127.0.0.1:%d/rondo?require_auth=%s"
                .formatted(owner, port, PostgresUrl.SCRAM));
    Path file = home.dir().resolve(FILE);
    var random = new SecureRandom();
    Map<String, String> passwords = new LinkedHashMap<>();
    Map<String, String> known = known(file);
    users.forEach(
        user ->
            passwords.put(
                user, known.getOrDefault(user, new BigInteger(BITS, random).toString(36))));
    try {
      PasswordFile.writeOfServer(file, url, passwords); // its owner may add databases
      return url.with(file);
    } catch (IOException e) {
      throw new UncheckedIOException("could not write " + file, e);
    }
  }

  private static Map<String, String> known(Path file) {
    try {
      return PasswordFile.byUser(file);
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + file, e);
    }
  }

  /** The URL of an external server; a password in it, or of PGPASSWORD, moves to the file. */
  public static PostgresUrl ofExternal(PostgresUrl url, Home home) {
    return url.password().isEmpty() || url.passwordFile().isPresent()
        ? url
        : write(url, home.dir().resolve(FILE), Map.of(url.user(), url.password()));
  }

  /**
   * The URL with a file that has only the password of its user.
   *
   * @param folder of the part, with the file; without a password, the file is empty
   */
  public static PostgresUrl ofPart(PostgresUrl url, Path folder) {
    return write(
        url,
        folder.resolve(FILE),
        url.password().isEmpty() ? Map.of() : Map.of(url.user(), url.password()));
  }

  private static PostgresUrl write(PostgresUrl url, Path file, Map<String, String> passwords) {
    try {
      PasswordFile.write(file, url, passwords);
      return url.with(file);
    } catch (IOException e) {
      throw new UncheckedIOException("could not write " + file, e);
    }
  }
}
