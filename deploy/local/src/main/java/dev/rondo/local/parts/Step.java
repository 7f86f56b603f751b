package dev.rondo.local.parts;

/** One step of a start. */
interface Step extends AutoCloseable {
  String name();

  /** Runs the step; returns when the started part answers. */
  void start();

  @Override
  default void close() {}

  /** A step without a process. */
  record Once(String name, Runnable action) implements Step {
    @Override
    public void start() {
      action.run();
    }
  }
}
