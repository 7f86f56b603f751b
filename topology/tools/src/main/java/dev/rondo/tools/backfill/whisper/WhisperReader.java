package dev.rondo.tools.backfill.whisper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;

/**
 * Reads Whisper files that carbon may be writing to. A file that has just changed is read until two
 * readings are the same, so that no point is half of an old and half of a new one.
 */
final class WhisperReader {
  /** Longer than a file system keeps the time of a change to itself. */
  private static final long SETTLED_MS = Duration.ofSeconds(2).toMillis();

  private static final int READINGS = 10;

  private final Clock clock;

  WhisperReader(Clock clock) {
    this.clock = clock;
  }

  /** Reads a file; slots that are not over are left out. */
  WhisperFile read(Path path) throws UnreadableFileException {
    long nowS = Math.floorDiv(clock.millis(), 1000);
    try {
      return WhisperFile.read(bytes(path), nowS);
    } catch (NoSuchFileException e) {
      throw new UnreadableFileException("it was removed");
    } catch (IOException e) {
      throw new UnreadableFileException(String.valueOf(e.getMessage()));
    }
  }

  private static byte[] bytes(Path path) throws IOException, UnreadableFileException {
    if (Files.size(path) > Integer.MAX_VALUE - 8) {
      throw new UnreadableFileException("%d bytes are more than 2 GiB".formatted(Files.size(path)));
    }
    long beginMs = System.currentTimeMillis();
    byte[] bytes = Files.readAllBytes(path);
    for (int n = 1; hasChangedSince(path, beginMs); n++) {
      byte[] again = Files.readAllBytes(path);
      if (Arrays.equals(bytes, again)) {
        return again;
      }
      if (n == READINGS) {
        throw new UnreadableFileException("it changed while it was read, %d times".formatted(n));
      }
      bytes = again;
    }
    return bytes;
  }

  private static boolean hasChangedSince(Path path, long beginMs) throws IOException {
    return Files.getLastModifiedTime(path).toMillis() >= beginMs - SETTLED_MS;
  }
}
