package dev.rondo.chaos.part;

import dev.rondo.embedded.ProcessTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A running part, restarted by its supervisor when it ends. */
public interface Target {
  /** Whether the part runs and has answered since its last start. */
  boolean isReady();

  /** The process; empty while the part does not run. */
  Optional<ProcessHandle> process();

  /** Number of restarts, for any reason. */
  int restarts();

  /** Shuts the part down cleanly by SIGTERM; it stays stopped until {@link #start}. */
  void stop() throws IOException, InterruptedException;

  /** Starts a stopped part; may return before it is ready. */
  void start() throws IOException, InterruptedException;

  /** Uses another installation of Rondo from the next start on. */
  void install(Path root) throws IOException;

  /** SIGKILL to the process and its children; returns when they are gone. */
  default void kill() {
    process().map(ProcessTree::of).ifPresent(ProcessTree::kill);
  }

  /**
   * SIGSTOP to the process and its children: it keeps connections and locks, but does not answer.
   */
  default void freeze() throws IOException, InterruptedException {
    signal("-STOP");
  }

  /** SIGCONT: the process continues. */
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
    new ProcessBuilder(command).start().waitFor(); // fails if a child has ended meanwhile
  }
}
