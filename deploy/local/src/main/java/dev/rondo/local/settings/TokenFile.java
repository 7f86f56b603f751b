package dev.rondo.local.settings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;

/** Files of tokens in the data folder, which only its owner reads. */
public final class TokenFile {
  private static final int BITS = 160;

  private TokenFile() {}

  /** The file of the token that the query API asks for ({@code --token}). */
  public static Path ofApi(Home home) {
    return kept(home.dir().resolve("api-token"));
  }

  /** The file of the token that Connect asks for where a request changes something. */
  public static Path ofConnect(Home home) {
    return kept(home.dir().resolve("connect-token"));
  }

  /** The token in a file. */
  public static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + file, e);
    }
  }

  /** The file with the token of an earlier start, or a new one. */
  private static Path kept(Path file) {
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
