package dev.rondo.client;

import java.util.zip.CRC32;

/**
 * When to publish: steps end at multiples of the step since the epoch, and the records of a step
 * follow in the first half of the next one, evenly spaced. Clients have different phases, so that a
 * thousand of them do not publish at once.
 *
 * <pre>
 *              step ends                        step ends
 *   client 1       |--•----•----•---|---------------|--•----•---
 *   client 2       |----•-----------|---------------|----•------
 * </pre>
 *
 * @param stepMs length of a step
 * @param phase 0..1, exclusive
 */
record Pace(long stepMs, double phase) {
  static Pace of(long stepMs, byte[] key) {
    var hash = new CRC32();
    hash.update(key);
    return new Pace(stepMs, hash.getValue() / (double) (1L << 32));
  }

  /** Returns the newest end of a step that is not after {@code nowMs}. */
  long endBefore(long nowMs) {
    return Math.floorDiv(nowMs, stepMs) * stepMs;
  }

  /** Returns the first end of a step after {@code nowMs}. */
  long endAfter(long nowMs) {
    return endBefore(nowMs) + stepMs;
  }

  /**
   * Returns when to send record {@code n}, 0..{@code records}-1, of the step that ended at {@code
   * endMs}.
   */
  long dueMs(long endMs, int n, int records) {
    return endMs + (long) ((n + phase) / records * stepMs / 2);
  }
}
