package dev.rondo.local.settings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Parts that the user has stopped: one empty file per part in the data folder. {@code rondo stop}
 * and {@code rondo start} create and remove the files, and the supervisor polls them, so that the
 * processes need no connection.
 */
public record StopMarks(Path folder) {
  public boolean has(String part) {
    return Files.exists(folder.resolve(part));
  }

  public void add(String part) {
    try {
      Files.createDirectories(folder);
      Files.write(folder.resolve(part), new byte[0]);
    } catch (IOException e) {
      throw new UncheckedIOException("could not write to " + folder, e);
    }
  }

  /** Removes the mark; returns whether it existed. */
  public boolean remove(String part) {
    try {
      return Files.deleteIfExists(folder.resolve(part));
    } catch (IOException e) {
      throw new UncheckedIOException("could not remove from " + folder, e);
    }
  }

  /** Removes all marks, at a start. */
  public void clear() {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> marks = Files.list(folder)) {
      marks.map(mark -> mark.getFileName().toString()).forEach(this::remove);
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + folder, e);
    }
  }
}
