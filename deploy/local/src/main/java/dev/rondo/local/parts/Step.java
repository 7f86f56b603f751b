package dev.rondo.local.parts;

/** One step of the start, in its turn; what it opened is closed in reverse order. */
interface Step extends AutoCloseable {
  String name();

  /** Returns when the step is done; what it started answers then. */
  void start();

  @Override
  default void close() {}

  /** A step that leaves nothing running. */
  record Once(String name, Runnable action) implements Step {
    @Override
    public void start() {
      action.run();
    }
  }
}
