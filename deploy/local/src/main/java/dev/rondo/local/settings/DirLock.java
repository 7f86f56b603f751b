package dev.rondo.local.settings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.StandardOpenOption;

/**
 * Locks a data folder for one supervisor. The operating system releases the lock when the process
 * ends, even after SIGKILL.
 */
public final class DirLock implements AutoCloseable {
  private final FileChannel channel;

  private DirLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the lock of a data folder.
   *
   * @throws UserError if another process holds the lock
   */
  public static DirLock take(Home home) {
    try {
      var channel =
          FileChannel.open(home.lockFile(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = tryLock(channel);
      if (lock == null) {
        channel.close();
        throw new UserError(
            "another rondo is starting, running or ending in %s (--dir)".formatted(home.dir()));
      }
      return new DirLock(channel);
    } catch (IOException e) {
      throw new UserError("cannot lock %s (--dir): %s".formatted(home.dir(), e.getMessage()));
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }
}
