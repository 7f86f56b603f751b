package dev.rondo.local.settings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;

/** The file of the token that the query API asks for ({@code --token}). */
public final class ApiToken {
  private static final int BITS = 160;

  private ApiToken() {}

  /** The file in the data folder, with the token of an earlier start or a new one. */
  public static Path in(Home home) {
    Path file = home.dir().resolve("api-token");
    try {
      if (!Files.exists(file)) {
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, new BigInteger(BITS, new SecureRandom()).toString(36) + "\n");
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException("could not write " + file, e);
    }
  }
}
