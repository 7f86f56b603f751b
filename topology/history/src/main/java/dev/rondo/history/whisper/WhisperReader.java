package dev.rondo.history.whisper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
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

  /** Of a header with as many archives as a file can sensibly have. */
  private static final int HEADER_BYTES = 4096;

  private final Clock clock;

  WhisperReader(Clock clock) {
    this.clock = clock;
  }

  /** Reads a file; slots that are not over are left out. */
  WhisperFile read(Path path) throws UnreadableFileException {
    long nowS = Math.floorDiv(clock.millis(), 1000);
    try {
      return WhisperFile.read(bytes(path), nowS);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** Reads only the header of a file. */
  WhisperHeader header(Path path) throws UnreadableFileException {
    try (FileChannel channel = FileChannel.open(path)) {
      return header(channel);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /**
   * Start of the newest slot that is over, epoch s; 0: none is known. Reads only the finest archive
   * if that has a point.
   */
  long newestS(Path path) throws UnreadableFileException {
    long nowS = Math.floorDiv(clock.millis(), 1000);
    try (FileChannel channel = FileChannel.open(path)) {
      WhisperHeader.Place finest = header(channel).places().get(0);
      ByteBuffer ring = ByteBuffer.allocate(Math.toIntExact(finest.end() - finest.offset()));
      read(channel, ring, finest.offset());
      WhisperArchive archive = WhisperArchive.read(ring, finest.stepS(), nowS);
      return archive.isEmpty() ? read(path).newestS() : archive.newestS();
    } catch (IOException | ArithmeticException e) {
      throw unreadable(e);
    }
  }

  private static WhisperHeader header(FileChannel channel)
      throws IOException, UnreadableFileException {
    ByteBuffer begin = ByteBuffer.allocate(HEADER_BYTES);
    read(channel, begin, 0);
    return WhisperHeader.read(begin, channel.size());
  }

  private static void read(FileChannel channel, ByteBuffer bytes, long offset) throws IOException {
    while (bytes.hasRemaining() && channel.read(bytes, offset + bytes.position()) >= 0) {
      // a read may return less than asked for
    }
    bytes.flip();
  }

  private static UnreadableFileException unreadable(Exception failure) {
    return new UnreadableFileException(
        failure instanceof NoSuchFileException
            ? "it was removed"
            : failure.getClass().getSimpleName() + ": " + failure.getMessage());
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
