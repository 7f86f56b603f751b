package dev.rondo.embedded;

/** A process that was started here and answered. */
public interface RunningProcess extends AutoCloseable {
  ProcessHandle process();

  /** SIGKILL to it and to its own children; returns when all are gone. */
  void kill();

  /** Asks it to end, kills it if it does not, and returns when it is gone. */
  @Override
  void close();
}
