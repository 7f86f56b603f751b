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
 * Manages files with the database's passwords in the data folder. The folder's file has all
 * passwords of a started server, for its owner and commands; each part has a file with only the
 * password of its role, so that it cannot reveal others. Neither arguments nor Connect's topics nor
 * {@code status --json} contain passwords.
 */
public final class Passwords {
  private static final String FILE = "pgpass";
  private static final int BITS = 160;

  private Passwords() {}

  /**
   * Returns the URL of a started server, with the file of these users' passwords; generates missing
   * ones. The server must prove by SCRAM that it knows the password.
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
      PasswordFile.writeOfServer(file, url, passwords); // the owner may add databases
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

  /**
   * Returns the URL of an external server; moves a password in it, or of PGPASSWORD, to the file.
   */
  public static PostgresUrl ofExternal(PostgresUrl url, Home home) {
    return url.password().isEmpty() || url.passwordFile().isPresent()
        ? url
        : write(url, home.dir().resolve(FILE), Map.of(url.user(), url.password()));
  }

  /**
   * Returns the URL with a file that contains only the password of its user.
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
