package dev.rondo.topology.archive;

/**
 * Fills slots as Whisper does: a point sets only the finest slot that it falls in. The last point
 * to arrive wins, or points are increments and add up. Finest slots are [start, start + step),
 * named by start + step.
 *
 * <pre>
 *   point        3:1    7:5          20:9            slot 20 unknown, slot 30 = 9
 *   last        [--- 5 ---[--- ? ---[--- 9 ---[
 *   sum         [--- 6 ---[--- ? ---[--- 9 ---[
 *               0        10        20        30 s
 * </pre>
 */
final class WhisperFilling implements SlotFilling {
  private final OpenSlots slots;
  private final long stepMs;
  private final ConsolidationFunction finest;

  /**
   * @param finest function of the points of one slot: last or sum
   */
  WhisperFilling(OpenSlots slots, long stepMs, ConsolidationFunction finest) {
    this.slots = slots;
    this.stepMs = stepMs;
    this.finest = finest;
  }

  @Override
  public Verdict add(int series, long lastMs, long tMs, double value, SlotSink sink) {
    if (tMs <= lateMs(lastMs)) {
      return Verdict.LATE;
    }
    slots.passUnknown(series, lastMs, startMs(tMs), sink);
    slots.setInPdp(series, finest, value);
    return Verdict.STORED;
  }

  @Override
  public void addFirst(int series, double value) {
    slots.setInPdp(series, finest, value);
  }

  @Override
  public long finestEndMs(long tMs) {
    return startMs(tMs) + stepMs;
  }

  /** A point can still change the value of the open slot. */
  @Override
  public long lateMs(long lastMs) {
    return startMs(lastMs) - 1;
  }

  private long startMs(long tMs) {
    return Math.floorDiv(tMs, stepMs) * stepMs;
  }
}
