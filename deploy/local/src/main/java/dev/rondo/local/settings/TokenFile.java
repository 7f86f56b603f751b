package dev.rondo.local.settings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;

/** Files with tokens in the data folder, readable by their owner only. */
public final class TokenFile {
  private static final int BITS = 160;

  private TokenFile() {}

  /** Returns the file of the token that the query API requires ({@code --token}). */
  public static Path ofApi(Home home) {
    return existingOrNew(home.dir().resolve("api-token"));
  }

  /** Returns the file of the token that Connect requires for changes. */
  public static Path ofConnect(Home home) {
    return existingOrNew(home.dir().resolve("connect-token"));
  }

  public static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + file, e);
    }
  }

  /** Returns the file with the token of an earlier start, or with a new one. */
  private static Path existingOrNew(Path file) {
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
