package dev.rondo.topology.archive;

/**
 * Fills slots backward: a point (t, v) means that the series had the value v over (last, t], unless
 * that is longer than the heartbeat. Finest slots are (end − step, end].
 *
 * <pre>
 *   point        0:99    4:1         10:3          slot 10 = (4 s x 1 + 6 s x 3) / 10 s = 2.2
 *   value         |--- 1 ---|---- 3 ----|
 *                 0         4          10 s
 * </pre>
 */
final class BackwardFilling implements SlotFilling {
  private final OpenSlots slots;
  private final long stepMs;
  private final long heartbeatMs;

  BackwardFilling(OpenSlots slots, long stepMs, long heartbeatMs) {
    this.slots = slots;
    this.stepMs = stepMs;
    this.heartbeatMs = heartbeatMs;
  }

  @Override
  public Verdict add(int series, long lastMs, long tMs, double value, SlotSink sink) {
    if (tMs <= lastMs) {
      return tMs == lastMs ? Verdict.DUPLICATE : Verdict.LATE;
    }
    if (tMs - lastMs > heartbeatMs) {
      slots.extendPartial(series, lastMs, tMs);
      slots.passUnknown(series, lastMs, tMs, sink);
    } else {
      passKnown(series, lastMs, tMs, value, sink);
    }
    return Verdict.STORED;
  }

  /** Does nothing, as the time before the first point is unknown. */
  @Override
  public void addFirst(int series, double value) {}

  @Override
  public long finestEndMs(long tMs) {
    return -Math.floorDiv(-tMs, stepMs) * stepMs;
  }

  @Override
  public long lateMs(long lastMs) {
    return lastMs;
  }

  private void passKnown(int series, long fromMs, long toMs, double value, SlotSink sink) {
    long endMs = Math.floorDiv(fromMs, stepMs) * stepMs + stepMs;
    if (toMs < endMs) {
      slots.addToPdp(series, value, toMs - fromMs);
      return;
    }
    slots.addToPdp(series, value, endMs - fromMs);
    slots.closePdp(series, endMs, sink);
    long wholeEndMs = Math.floorDiv(toMs, stepMs) * stepMs;
    if (wholeEndMs > endMs) {
      slots.takeWholeSlots(series, endMs, wholeEndMs, value, sink);
    }
    if (toMs > wholeEndMs) {
      slots.addToPdp(series, value, toMs - wholeEndMs);
    }
  }
}
