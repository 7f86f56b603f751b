package dev.rondo.proof;

/** The time of the points: it begins hours ago and runs faster than the wall clock. */
final class EventClock {
  private final long beginMs;
  private final int speed;
  private final long startNanos = System.nanoTime();

  /**
   * Runs from now on.
   *
   * @param beginMs time of the first points, epoch ms
   */
  EventClock(long beginMs, int speed) {
    this.beginMs = beginMs;
    this.speed = speed;
  }

  long beginMs() {
    return beginMs;
  }

  /** Epoch ms. */
  long nowMs() {
    return beginMs + (System.nanoTime() - startNanos) / 1_000_000 * speed;
  }
}
