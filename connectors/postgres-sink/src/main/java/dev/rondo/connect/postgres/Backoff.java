package dev.rondo.connect.postgres;

import java.util.random.RandomGenerator;

/**
 * Pauses between attempts, ms. They double from the first to the longest; each is shortened by a
 * random part, up to half, so that tasks that collided do not collide again. Not thread-safe.
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

  /** Returns the pause before the next attempt. */
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
