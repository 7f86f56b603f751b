package dev.rondo.topology.archive;

import java.util.Arrays;
import java.util.List;

/**
 * The open slots of the series of one segment: for each series the time of its last point, its PDP
 * (the open finest slot) and the open slot of each archive, side by side in primitive arrays. Not
 * safe to share between threads.
 *
 * <p>A value holds backward: a point (t, v) says that the series had v over (last, t].
 *
 * <pre>
 *   point        0:99    4:1         10:3          slot 10 = (4 s x 1 + 6 s x 3) / 10 s = 2.2
 *   value         |--- 1 ---|---- 3 ----|
 *                 0         4          10 s
 * </pre>
 */
public final class OpenSlots {
  /** {@link #lastMs} of a series that has had no point yet. */
  static final long NONE = Long.MIN_VALUE;

  private final long stepMs;
  private final long heartbeatMs;
  private final Archive[] archives;
  private final long[] leastKnownMs;

  final long[] lastMs;
  final double[] pdp;
  final long[] pdpKnownMs;
  final OpenArchive[] open;

  /**
   * Room for {@code width} series of one policy.
   *
   * @param stepMs the policy's finest step; every archive's step is a multiple of it
   * @param heartbeatMs a longer silence is unknown
   */
  public OpenSlots(long stepMs, long heartbeatMs, List<Archive> archives, int width) {
    this.stepMs = stepMs;
    this.heartbeatMs = heartbeatMs;
    this.archives = archives.toArray(Archive[]::new);
    this.leastKnownMs = archives.stream().mapToLong(Archive::leastKnownMs).toArray();
    this.lastMs = new long[width];
    this.pdp = new double[width];
    this.pdpKnownMs = new long[width];
    this.open = new OpenArchive[archives.size()];
    Arrays.fill(lastMs, NONE);
    Arrays.setAll(open, a -> new OpenArchive(width));
  }

  long stepMs() {
    return stepMs;
  }

  List<Archive> archives() {
    return List.of(archives);
  }

  /** Time of the series' last point, epoch ms; {@link Long#MIN_VALUE} before its first. */
  public long lastMs(int series) {
    return lastMs[series];
  }

  /**
   * Takes a point; slots that it closes go to {@code sink}.
   *
   * @param tMs epoch ms
   * @param value finite
   */
  public Verdict add(int series, long tMs, double value, SlotSink sink) {
    long last = lastMs[series];
    if (last == NONE) {
      lastMs[series] = tMs;
      return Verdict.FIRST;
    }
    if (tMs <= last) {
      return tMs == last ? Verdict.DUPLICATE : Verdict.LATE;
    }
    if (tMs - last > heartbeatMs) {
      passUnknown(series, last, tMs, sink);
    } else {
      passKnown(series, last, tMs, value, sink);
    }
    lastMs[series] = tMs;
    return Verdict.STORED;
  }

  /**
   * Tells the slots of a silent series that no point can fill any more: those whose end is a
   * heartbeat or more before {@code nowMs}. Their state stays: should a point come after all (its
   * sender was slow), the slot is told again with all that is known.
   */
  public void tellSilent(int series, long nowMs, SlotSink sink) {
    long last = lastMs[series];
    if (last == NONE) {
      return;
    }
    for (int a = 0; a < archives.length; a++) {
      long endMs = archives[a].shape().endOf(last);
      if (endMs + heartbeatMs <= nowMs) {
        tellOpen(series, a, endMs, sink);
      }
    }
  }

  /**
   * Tells the open slot of one archive as far as it is known, once it is known enough to count:
   * from then on it can only become better known, so the closed value always replaces this one.
   */
  public void tellOpen(int series, int archive, SlotSink sink) {
    long last = lastMs[series];
    if (last != NONE) {
      tellOpen(series, archive, archives[archive].shape().endOf(last), sink);
    }
  }

  private void tellOpen(int series, int a, long endMs, SlotSink sink) {
    OpenArchive slots = open[a];
    double value = slots.value[series];
    long knownMs = slots.knownMs[series];
    if (pdpKnownMs[series] > 0) {
      value = archives[a].function().take(value, knownMs, pdp[series], pdpKnownMs[series], 1);
      knownMs += pdpKnownMs[series];
    }
    if (knownMs >= leastKnownMs[a] && knownMs > slots.toldMs[series]) {
      slots.toldMs[series] = knownMs;
      sink.slot(a, series, endMs, value);
    }
  }

  private void passKnown(int series, long fromMs, long toMs, double value, SlotSink sink) {
    long endMs = Math.floorDiv(fromMs, stepMs) * stepMs + stepMs;
    if (toMs < endMs) {
      addToPdp(series, value, toMs - fromMs);
      return;
    }
    addToPdp(series, value, endMs - fromMs);
    closePdp(series, endMs, sink);
    long wholeEndMs = Math.floorDiv(toMs, stepMs) * stepMs;
    if (wholeEndMs > endMs) {
      for (int a = 0; a < archives.length; a++) {
        takeWholeSlots(series, a, endMs, wholeEndMs, value, sink);
      }
    }
    if (toMs > wholeEndMs) {
      addToPdp(series, value, toMs - wholeEndMs);
    }
  }

  private void passUnknown(int series, long fromMs, long toMs, SlotSink sink) {
    long endMs = Math.floorDiv(fromMs, stepMs) * stepMs + stepMs;
    if (toMs < endMs) {
      return;
    }
    closePdp(series, endMs, sink);
    for (int a = 0; a < archives.length; a++) {
      long openEndMs = archives[a].shape().endOf(endMs);
      if (openEndMs <= toMs) {
        close(series, a, openEndMs, sink);
      }
    }
  }

  private void addToPdp(int series, double value, long ms) {
    long known = pdpKnownMs[series];
    pdp[series] = ConsolidationFunction.WMEAN.take(pdp[series], known, value, ms, 1);
    pdpKnownMs[series] = known + ms;
  }

  private void closePdp(int series, long endMs, SlotSink sink) {
    long knownMs = pdpKnownMs[series];
    for (int a = 0; a < archives.length; a++) {
      if (knownMs > 0) {
        open[a].take(archives[a].function(), series, pdp[series], knownMs, 1);
      }
      if (endMs % archives[a].shape().stepMs() == 0) {
        close(series, a, endMs, sink);
      }
    }
    pdpKnownMs[series] = 0;
  }

  /** Finest slots from {@code fromMs} to {@code toMs}, both on the step, known throughout. */
  private void takeWholeSlots(
      int series, int a, long fromMs, long toMs, double value, SlotSink sink) {
    Archive archive = archives[a];
    long archiveStepMs = archive.shape().stepMs();
    long atMs = fromMs;
    if (toMs - fromMs > archive.shape().spanMs()) {
      // longer than the archive: only its newest round can be kept
      open[a].reset(series);
      atMs = archive.shape().endOf(toMs - archive.shape().spanMs());
    }
    while (atMs < toMs) {
      long endMs = Math.floorDiv(atMs, archiveStepMs) * archiveStepMs + archiveStepMs;
      long untilMs = Math.min(endMs, toMs);
      open[a].take(archive.function(), series, value, untilMs - atMs, (untilMs - atMs) / stepMs);
      if (untilMs == endMs) {
        close(series, a, endMs, sink);
      }
      atMs = untilMs;
    }
  }

  private void close(int series, int a, long endMs, SlotSink sink) {
    OpenArchive slots = open[a];
    long knownMs = slots.knownMs[series];
    if (knownMs >= leastKnownMs[a] && knownMs > slots.toldMs[series]) {
      sink.slot(a, series, endMs, slots.value[series]);
    }
    slots.reset(series);
  }

  /** The open slot of one archive, for each series. */
  static final class OpenArchive {
    final double[] value;
    final long[] knownMs;

    /** Known time when the slot was last told while open, ms; 0 = never. */
    final long[] toldMs;

    OpenArchive(int width) {
      value = new double[width];
      knownMs = new long[width];
      toldMs = new long[width];
    }

    void take(ConsolidationFunction function, int series, double v, long ms, long slots) {
      value[series] = function.take(value[series], knownMs[series], v, ms, slots);
      knownMs[series] += ms;
    }

    void reset(int series) {
      knownMs[series] = 0;
      toldMs[series] = 0;
    }
  }
}
