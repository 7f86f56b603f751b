package dev.rondo.topology.archive;

/**
 * Fills slots as Whisper does: a point sets the finest slot that it falls in, the last point to
 * arrive wins, and the time before is unknown. Finest slots are [start, start + step), named by
 * start + step.
 *
 * <pre>
 *   point        3:1    7:5          20:9            slot 10 = 5, slot 20 unknown, slot 30 = 9
 *   slot        [--- 5 ---[--- ? ---[--- 9 ---[
 *               0        10        20        30 s
 * </pre>
 */
final class WhisperFilling implements SlotFilling {
  private final OpenSlots slots;
  private final long stepMs;

  WhisperFilling(OpenSlots slots, long stepMs) {
    this.slots = slots;
    this.stepMs = stepMs;
  }

  @Override
  public Verdict add(int series, long lastMs, long tMs, double value, SlotSink sink) {
    if (tMs <= lateMs(lastMs)) {
      return Verdict.LATE;
    }
    slots.passUnknown(series, lastMs, startMs(tMs), sink);
    slots.setPdp(series, value);
    return Verdict.STORED;
  }

  @Override
  public void addFirst(int series, double value) {
    slots.setPdp(series, value);
  }

  @Override
  public long finestEndMs(long tMs) {
    return startMs(tMs) + stepMs;
  }

  /** A point can still replace the value of the open slot. */
  @Override
  public long lateMs(long lastMs) {
    return startMs(lastMs) - 1;
  }

  private long startMs(long tMs) {
    return Math.floorDiv(tMs, stepMs) * stepMs;
  }
}
