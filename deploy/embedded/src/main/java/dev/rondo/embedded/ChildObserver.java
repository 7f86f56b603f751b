package dev.rondo.embedded;

import java.time.Duration;

/** Receives the child processes of this JVM; see {@link ChildProcess#observe}. */
public interface ChildObserver {

  ChildObserver NONE =
      new ChildObserver() {
        @Override
        public void started(ChildProcess child) {}

        @Override
        public void awaited(ChildProcess child, Duration waited) {}
      };

  /** Called when {@code child} exists; it may not answer yet. */
  void started(ChildProcess child);

  /** Called when {@code child} has answered or failed, after {@code waited}. */
  void awaited(ChildProcess child, Duration waited);
}
