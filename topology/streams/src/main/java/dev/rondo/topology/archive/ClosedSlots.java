package dev.rondo.topology.archive;

import java.util.Arrays;

/**
 * Consolidates stored slots of one archive into slots of another one with the same or a longer
 * step, for the series of a segment side by side. A known slot counts as known throughout, because
 * its known share is not stored:
 *
 * <pre>
 *   10 s   | 1 | ? | 6 |        wmean of 30 s = 3.5, known 20 s of 30
 * </pre>
 *
 * A slot of the finest step has the same value for all functions; slots of other steps must be
 * those of the same function.
 */
public final class ClosedSlots {
  private final ConsolidationFunction function;
  private final long leastKnownMs;
  private final long fromStepMs;
  private final OpenSlots.OpenArchive open;

  /**
   * @param archive that gets the slots
   * @param fromStepMs step of the stored slots, ms; divides that of {@code archive}
   * @param width positions
   */
  public ClosedSlots(Archive archive, long fromStepMs, int width) {
    if (archive.shape().stepMs() % fromStepMs != 0) {
      throw new IllegalArgumentException(
          "slots of %d ms do not divide those of %d ms"
              .formatted(fromStepMs, archive.shape().stepMs()));
    }
    this.function = archive.function();
    this.leastKnownMs = archive.leastKnownMs();
    this.fromStepMs = fromStepMs;
    this.open = new OpenSlots.OpenArchive(width);
  }

  /**
   * Adds a stored slot of one series; slots of a series are added in the order of time.
   *
   * @param value NaN: unknown
   */
  public void take(int series, double value) {
    take(series, value, fromStepMs);
  }

  /**
   * Adds a part of a stored slot, where the steps do not divide each other.
   *
   * @param value of the part, NaN: unknown
   * @param partMs length of the part
   */
  public void take(int series, double value, long partMs) {
    if (!Double.isNaN(value)) {
      open.take(function, series, value, partMs, 1);
    }
  }

  /** Returns the values, NaN where too little is known, and begins the next slot. */
  public double[] close() {
    double[] values = new double[open.value.length];
    Arrays.fill(values, Double.NaN);
    for (int series = 0; series < values.length; series++) {
      if (open.knownMs[series] >= leastKnownMs) {
        values[series] = open.value[series];
      }
      open.reset(series);
    }
    return values;
  }
}
