package dev.rondo.chaos;

/** A thread that looks at something again and again while a scenario runs. */
final class Watch implements AutoCloseable {
  @FunctionalInterface
  interface Look {
    void look() throws InterruptedException;
  }

  private final Look look;
  private final long pauseMs;
  private final Runnable over;
  private final Thread thread;

  private Watch(String name, Look look, long pauseMs, Runnable over) {
    this.look = look;
    this.pauseMs = pauseMs;
    this.over = over;
    this.thread = new Thread(this::watch, name);
  }

  /**
   * Starts to look.
   *
   * @param over runs in the thread at its end
   */
  static Watch start(String name, Look look, long pauseMs, Runnable over) {
    var watch = new Watch(name, look, pauseMs, over);
    watch.thread.setDaemon(true);
    watch.thread.start();
    return watch;
  }

  private void watch() {
    try {
      while (true) {
        look.look();
        Thread.sleep(pauseMs);
      }
    } catch (InterruptedException e) { // the scenario is over
      over.run();
    }
  }

  /** Returns when it looks no more. */
  void end() throws InterruptedException {
    thread.interrupt();
    thread.join();
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
