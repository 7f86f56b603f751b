package dev.rondo.proof;

/** The clock of the points: starts hours in the past and runs faster than real time. */
final class EventClock {
  private final long beginMs;
  private final int speed;
  private final long startNanos = System.nanoTime();

  /**
   * Starts the clock.
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
