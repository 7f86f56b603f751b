package dev.rondo.topology.archive;

import java.util.Arrays;

/**
 * Consolidates stored slots of one archive into slots of another with the same or a longer step,
 * for all series of a segment. A known slot counts as fully known, because its known share is not
 * stored:
 *
 * <pre>
 *   10 s   | 1 | ? | 6 |        wmean of 30 s = 3.5, known 20 s of 30
 * </pre>
 *
 * Slots of the finest step have the same value for all functions; slots of other steps must come
 * from an archive with the same function.
 */
public final class ClosedSlots {
  private final ConsolidationFunction function;
  private final long leastKnownMs;
  private final long fromStepMs;
  private final OpenSlots.OpenArchive open;

  /**
   * @param archive archive of the new slots
   * @param fromStepMs step of the stored slots, ms; divides that of {@code archive}
   * @param width number of series
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
   * Adds a stored slot of one series. Slots of a series are added in time order.
   *
   * @param value NaN: unknown
   */
  public void take(int series, double value) {
    take(series, value, fromStepMs);
  }

  /**
   * Adds a part of a stored slot, where the steps do not divide each other.
   *
   * @param value value of the part, NaN: unknown
   * @param partMs length of the part
   */
  public void take(int series, double value, long partMs) {
    if (!Double.isNaN(value)) {
      open.take(function, series, value, partMs, 1);
    }
  }

  /** Returns the values by series, NaN where too little is known, and starts the next slot. */
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
