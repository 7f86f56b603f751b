package dev.rondo.embedded;

/** A started process that has answered. */
public interface RunningProcess extends AutoCloseable {
  ProcessHandle process();

  /** Sends SIGKILL to the process and its children; returns when all are gone. */
  void kill();

  /** Ends the process, kills it if necessary, and returns when it is gone. */
  @Override
  void close();
}
