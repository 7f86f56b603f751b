package dev.rondo.loadgen.plan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Where a plan is written. Each write replaces the file atomically. */
public record PlanFile(Path path) {

  /** Writes the plan with its progress; creates missing folders. */
  public synchronized void write(Plan plan, Progress progress) {
    Path unfinished = path.resolveSibling(path.getFileName() + ".tmp");
    try {
      Files.createDirectories(path.toAbsolutePath().getParent());
      Files.writeString(unfinished, plan.toJson(progress));
      Files.move(
          unfinished, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the plan " + path + " (--plan)", e);
    }
  }
}
