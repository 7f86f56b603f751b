package dev.rondo.topology.order;

import java.util.PriorityQueue;

/**
 * Which of the batches that wait is next: of those written at about the time of the earliest, the
 * one with the earliest points.
 *
 * <pre>
 *          written →   earliest        + skew
 *                         ├───── near ─────┤
 *                         1    3   2    4     6   5   7      far: by writing only
 * </pre>
 */
final class Turns {
  private final long skewMs;

  /** Those written up to {@link #nearUntilMs}, twice; what has left is taken out when it is met. */
  private final PriorityQueue<Turn> nearByWriting = new PriorityQueue<>(Turn.BY_WRITING);

  private final PriorityQueue<Turn> nearByPoints = new PriorityQueue<>(Turn.BY_POINTS);

  private final PriorityQueue<Turn> far = new PriorityQueue<>(Turn.BY_WRITING);
  private long nearUntilMs = Long.MIN_VALUE;
  private boolean isBehind;

  Turns(long skewMs) {
    this.skewMs = skewMs;
  }

  /** Lets one wait. */
  void add(Turn turn) {
    if (turn.writtenMs() > nearUntilMs) {
      far.add(turn);
    } else {
      near(turn);
      isBehind |= turn.writtenMs() + skewMs < nearUntilMs;
    }
  }

  private void near(Turn turn) {
    nearByWriting.add(turn);
    nearByPoints.add(turn);
  }

  /** The one written earliest; null where none waits. */
  Turn earliest() {
    while (!nearByWriting.isEmpty() && nearByWriting.peek().hasLeft()) {
      nearByWriting.remove();
    }
    return nearByWriting.isEmpty() ? far.peek() : nearByWriting.peek();
  }

  /** The next one; it stays. One at least waits. */
  Turn next() {
    if (isBehind) {
      beginAnew();
    }
    nearUntilMs = Math.max(nearUntilMs, earliest().writtenMs() + skewMs);
    while (!far.isEmpty() && far.peek().writtenMs() <= nearUntilMs) {
      near(far.remove());
    }
    return nearByPoints.peek();
  }

  /** Takes out the next one. */
  void remove() {
    nearByPoints.remove().leave();
  }

  /** One has come that was written before all that were near: some of these are far from it. */
  private void beginAnew() {
    isBehind = false;
    nearUntilMs = Long.MIN_VALUE;
    far.addAll(nearByPoints);
    nearByPoints.clear();
    nearByWriting.clear();
  }
}
