package dev.rondo.embedded;

import java.time.Duration;

/** Receives the child processes of this JVM; see {@link ChildProcess#observe}. */
public interface ChildObserver {
  /** An observer that ignores everything. */
  ChildObserver NONE =
      new ChildObserver() {
        @Override
        public void started(ChildProcess child) {}

        @Override
        public void awaited(ChildProcess child, Duration waited) {}
      };

  /** {@code child} exists; it may not answer yet. */
  void started(ChildProcess child);

  /** {@code child} has answered after {@code waited}, or has failed to. */
  void awaited(ChildProcess child, Duration waited);
}
