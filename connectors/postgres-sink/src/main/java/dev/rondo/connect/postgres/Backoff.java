package dev.rondo.connect.postgres;

import java.util.random.RandomGenerator;

/**
 * Pauses between attempts: doubling from the first to the longest, ms, each of them shortened by up
 * to a half at random, so that tasks that were in each other's way are not so again. One thread.
 */
final class Backoff {
  private final long firstMs;
  private final long longestMs;
  private final RandomGenerator random;
  private long nextMs;

  Backoff(long firstMs, long longestMs, RandomGenerator random) {
    this.firstMs = firstMs;
    this.longestMs = longestMs;
    this.random = random;
    this.nextMs = firstMs;
  }

  /** The pause before the next attempt. */
  long nextMs() {
    long pauseMs = nextMs - random.nextLong(nextMs / 2 + 1);
    nextMs = nextMs > longestMs / 2 ? longestMs : nextMs * 2;
    return pauseMs;
  }

  /** An attempt succeeded. */
  void reset() {
    nextMs = firstMs;
  }
}
