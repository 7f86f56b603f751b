package dev.rondo.bench;

/** A progress line on standard error; silent if it is not a terminal. */
public final class Progress {
  /** Metric: points stored by the topology. */
  static final String STORED = "rondo_consolidate_points_total";

  private static final long EVERY_NANOS = 200_000_000;

  private final boolean shown = Boolean.getBoolean("rondo.tty");
  private long lastNanos = System.nanoTime() - EVERY_NANOS;

  public void show(String what, long done, long all) {
    if (shown && System.nanoTime() - lastNanos >= EVERY_NANOS) {
      lastNanos = System.nanoTime();
      System.err.printf("\r\033[K%s: %,d of %,d", what, done, all);
    }
  }

  public void done() {
    if (shown) {
      System.err.print("\r\033[K");
    }
  }
}
