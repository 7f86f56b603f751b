package dev.rondo.local.settings;

import dev.rondo.schemas.postgres.PasswordFile;
import dev.rondo.schemas.postgres.PostgresUrl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The file of the database's passwords in the data folder. All parts read them there, so that
 * neither their arguments nor Connect's topics nor {@code status --json} has any.
 */
public final class Passwords {
  private static final String FILE = "pgpass";
  private static final int BITS = 160;

  private Passwords() {}

  /**
   * The URL with the file of the passwords of these users; makes missing ones.
   *
   * @param url of a server that is started here
   */
  public static PostgresUrl ofStarted(PostgresUrl url, Home home, List<String> users) {
    Path file = home.dir().resolve(FILE);
    if (Files.exists(file) && users.stream().allMatch(user -> has(url.with(file).as(user)))) {
      return url.with(file);
    }
    var random = new SecureRandom();
    Map<String, String> passwords = new LinkedHashMap<>();
    users.forEach(user -> passwords.put(user, new BigInteger(BITS, random).toString(36)));
    return write(url, file, passwords);
  }

  private static boolean has(PostgresUrl url) {
    return !url.password().isEmpty();
  }

  /** The URL of an external server; a password in it, or of PGPASSWORD, moves to the file. */
  public static PostgresUrl ofExternal(PostgresUrl url, Home home) {
    return !has(url) || url.passwordFile().isPresent()
        ? url
        : write(url, home.dir().resolve(FILE), Map.of(url.user(), url.password()));
  }

  private static PostgresUrl write(PostgresUrl url, Path file, Map<String, String> passwords) {
    try {
      PasswordFile.write(file, passwords);
      return url.with(file);
    } catch (IOException e) {
      throw new UncheckedIOException("could not write " + file, e);
    }
  }
}
