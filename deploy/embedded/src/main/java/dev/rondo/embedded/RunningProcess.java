package dev.rondo.embedded;

/** A process that was started and has answered. */
public interface RunningProcess extends AutoCloseable {
  ProcessHandle process();

  /** SIGKILL to the process and its children; returns when all are gone. */
  void kill();

  /** Ends the process, kills it if necessary, and returns when it is gone. */
  @Override
  void close();
}
