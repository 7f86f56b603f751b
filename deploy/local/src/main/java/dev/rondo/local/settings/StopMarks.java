package dev.rondo.local.settings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Which parts the user wants stopped: one empty file a part in the data folder. {@code rondo stop}
 * and {@code rondo start} make and remove them, the supervisor looks at them again and again; so
 * neither needs the other to listen.
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

  /** Whether there was one. */
  public boolean remove(String part) {
    try {
      return Files.deleteIfExists(folder.resolve(part));
    } catch (IOException e) {
      throw new UncheckedIOException("could not remove from " + folder, e);
    }
  }

  /** A start begins with none. */
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
