package dev.rondo.chaos.part;

import dev.rondo.harness.LocalRondo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A part that the supervisor of {@code ./rondo up} restarts.
 *
 * @param name in {@code ./rondo status}
 * @param installation that the supervisor runs from; null: the clone itself
 */
public record SupervisedTarget(LocalRondo rondo, String name, LinkedInstallation installation)
    implements Target {
  @Override
  public boolean isReady() {
    return rondo.isReady(name);
  }

  @Override
  public Optional<ProcessHandle> process() {
    return rondo.process(name);
  }

  @Override
  public int restarts() {
    return rondo.restarts(name);
  }

  @Override
  public void stop() throws IOException, InterruptedException {
    rondo.stop(name);
  }

  @Override
  public void start() throws IOException, InterruptedException {
    rondo.start(name);
  }

  @Override
  public void install(Path root) throws IOException {
    if (installation != null) {
      installation.link(name, root);
    }
  }
}
