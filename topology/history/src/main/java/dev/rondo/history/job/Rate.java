package dev.rondo.history.job;

/** Records a second, of the last half minute. */
final class Rate {
  private static final long WINDOW_NANOS = 30_000_000_000L;

  private long sinceNanos = System.nanoTime();
  private long since = -1;
  private double last;

  /** The rate when so many records are read. */
  double at(long read) {
    long nowNanos = System.nanoTime();
    if (since < 0) {
      since = read;
      sinceNanos = nowNanos;
    }
    double seconds = (nowNanos - sinceNanos) / 1e9;
    if (seconds > 1) {
      last = (read - since) / seconds;
    }
    if (nowNanos - sinceNanos > WINDOW_NANOS) {
      since = read;
      sinceNanos = nowNanos;
    }
    return last;
  }

  /** Time in which the job is paused does not count. */
  void skip(boolean isPaused) {
    if (isPaused) {
      since = -1;
    }
  }
}
