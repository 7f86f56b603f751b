package dev.rondo.chaos.part;

import dev.rondo.embedded.ProcessTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A part that runs, and is started again by its owner when it has ended. */
public interface Target {
  /** Whether it runs and has answered since its last start. */
  boolean isReady();

  /** Empty while it does not run. */
  Optional<ProcessHandle> process();

  /** How often it was started again, for whatever reason. */
  int restarts();

  /** Ends it in good order, as SIGTERM does; it stays so until it is started. */
  void stop() throws IOException, InterruptedException;

  /** Starts what was stopped. It need not be ready at once. */
  void start() throws IOException, InterruptedException;

  /** From its next start on it runs from another installation of Rondo. */
  void install(Path root) throws IOException;

  /** SIGKILL to it and to its children; returns when they are gone. */
  default void kill() {
    process().map(ProcessTree::of).ifPresent(ProcessTree::kill);
  }

  /** SIGSTOP to it and to its children: it holds what it holds, and answers nobody. */
  default void freeze() throws IOException, InterruptedException {
    signal("-STOP");
  }

  /** SIGCONT: it goes on as if nothing had been. */
  default void resume() throws IOException, InterruptedException {
    signal("-CONT");
  }

  private void signal(String signal) throws IOException, InterruptedException {
    List<ProcessHandle> processes =
        process().map(ProcessTree::of).map(ProcessTree::members).orElse(List.of());
    if (processes.isEmpty()) {
      return;
    }
    var command = new ArrayList<>(List.of("kill", signal));
    processes.forEach(each -> command.add(Long.toString(each.pid())));
    new ProcessBuilder(command).start().waitFor(); // a child may have ended by itself since
  }
}
