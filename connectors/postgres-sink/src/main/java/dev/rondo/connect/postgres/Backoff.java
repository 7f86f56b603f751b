package dev.rondo.connect.postgres;

/** Pauses between attempts: doubling from the first to the longest, ms. One thread. */
final class Backoff {
  private final long firstMs;
  private final long longestMs;
  private long nextMs;

  Backoff(long firstMs, long longestMs) {
    this.firstMs = firstMs;
    this.longestMs = longestMs;
    this.nextMs = firstMs;
  }

  /** The pause before the next attempt. */
  long nextMs() {
    long pauseMs = nextMs;
    nextMs = Math.min(longestMs, pauseMs * 2);
    return pauseMs;
  }

  /** An attempt succeeded. */
  void reset() {
    nextMs = firstMs;
  }
}
