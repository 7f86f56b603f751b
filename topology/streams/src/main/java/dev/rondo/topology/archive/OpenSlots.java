package dev.rondo.topology.archive;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Open slots of the series of one segment, in primitive arrays: the time of the last point, the PDP
 * (the open finest slot) and the open slot of each archive. Not safe to share between threads.
 *
 * <p>With a heartbeat, values fill backward ({@link BackwardFilling}); with heartbeat 0, a point
 * sets its finest slot ({@link WhisperFilling}). Both consolidate finest slots in the same way.
 */
public final class OpenSlots {
  /** {@link #lastMs} before the first point. */
  static final long NONE = Long.MIN_VALUE;

  /** {@link OpenArchive#emittedKnownMs} of a value that has changed since. */
  private static final long CHANGED = -1;

  /** {@link #wholeFromMs} of a series whose slots are all emitted. */
  static final long ALWAYS = Long.MIN_VALUE;

  private final long stepMs;
  private final ConsolidationFunction finest;
  private final long silenceMs;
  private final Archive[] archives;
  private final long[] leastKnownMs;

  /** The archive with the shortest step. */
  private final int shortest;

  private final SlotFilling filling;

  final long[] lastMs;
  final double[] pdp;
  final long[] pdpKnownMs;
  final OpenArchive[] open;

  /**
   * Slots that start before this time, epoch ms, are not emitted, as a replay has only some of
   * their points. Before the first point of a replay it is the distance from that point, ms.
   */
  final long[] wholeFromMs;

  /**
   * Creates empty slots for {@code width} series of one policy.
   *
   * @param stepMs finest step of the policy; steps of archives are multiples of it
   * @param heartbeatMs longer silences are unknown; 0 = Whisper mode
   * @param finest function of the points of one finest slot: wmean with a heartbeat, last or sum
   *     without
   */
  public OpenSlots(
      long stepMs,
      long heartbeatMs,
      ConsolidationFunction finest,
      List<Archive> archives,
      int width) {
    this.stepMs = stepMs;
    this.finest = finest;
    this.silenceMs = heartbeatMs == 0 ? stepMs : heartbeatMs;
    this.archives = archives.toArray(Archive[]::new);
    this.leastKnownMs = archives.stream().mapToLong(Archive::leastKnownMs).toArray();
    this.shortest =
        IntStream.range(0, archives.size())
            .boxed()
            .min(Comparator.comparingLong(a -> archives.get(a).shape().stepMs()))
            .orElseThrow();
    this.filling =
        heartbeatMs == 0
            ? new WhisperFilling(this, stepMs, finest)
            : new BackwardFilling(this, stepMs, heartbeatMs);
    this.lastMs = new long[width];
    this.pdp = new double[width];
    this.pdpKnownMs = new long[width];
    this.wholeFromMs = new long[width];
    this.open = new OpenArchive[archives.size()];
    Arrays.fill(lastMs, NONE);
    Arrays.fill(wholeFromMs, ALWAYS);
    Arrays.setAll(open, a -> new OpenArchive(width));
  }

  long stepMs() {
    return stepMs;
  }

  ConsolidationFunction finest() {
    return finest;
  }

  List<Archive> archives() {
    return List.of(archives);
  }

  /** Time of the newest point of a series, epoch ms; {@link Long#MIN_VALUE} before the first. */
  public long lastMs(int series) {
    return lastMs[series];
  }

  /**
   * Time at or before which a point is late, epoch ms: that of the newest point, or in Whisper mode
   * the time before the open finest slot. {@link Long#MIN_VALUE} before the first point.
   */
  public long lateMs(int series) {
    long last = lastMs[series];
    return last == NONE ? NONE : filling.lateMs(last);
  }

  /**
   * Latest end of the slots that hold the last point, epoch ms; no emitted slot of the series ends
   * later. {@link Long#MIN_VALUE} before the first point.
   */
  public long lastEndMs(int series) {
    long lastEndMs = NONE;
    if (lastMs[series] != NONE) {
      for (int a = 0; a < archives.length; a++) {
        lastEndMs = Math.max(lastEndMs, openEndMs(series, a));
      }
    }
    return lastEndMs;
  }

  /**
   * Adds a point and passes the slots that it closes to {@code sink}.
   *
   * @param tMs epoch ms
   * @param value finite
   */
  public Verdict add(int series, long tMs, double value, SlotSink sink) {
    long last = lastMs[series];
    if (last == NONE) {
      filling.addFirst(series, value);
      lastMs[series] = tMs;
      if (wholeFromMs[series] != ALWAYS) {
        // the slot of the first replayed point may have had increments before
        wholeFromMs[series] += finest == ConsolidationFunction.SUM ? tMs + 1 : tMs;
      }
      return Verdict.FIRST;
    }
    Verdict verdict = filling.add(series, last, tMs, value, sink);
    if (tMs > last) {
      lastMs[series] = tMs;
    }
    return verdict;
  }

  /**
   * Continues a series of other slots, whose steps and archives may differ. An open slot continues
   * in an archive with the same function and step; a sum only if the finest step is the same, too.
   * The known part of the open finest slot continues with them.
   *
   * @param inPlace whether equal archives are the same one, so that emitted slots are not emitted
   *     again
   */
  public void adopt(int series, OpenSlots other, int from, boolean inPlace) {
    lastMs[series] = other.lastMs[from];
    wholeFromMs[series] = other.wholeFromMs[from];
    if (stepMs == other.stepMs && finest == other.finest) {
      pdp[series] = other.pdp[from];
      pdpKnownMs[series] = other.pdpKnownMs[from];
    }
    for (int a = 0; a < archives.length; a++) {
      int source = other.indexOf(archives[a]);
      if (source >= 0 && other.continuesIn(source, this)) {
        adopt(series, a, other, from, source);
        boolean isSame = inPlace && archives[a].shape().equals(other.archives[source].shape());
        open[a].emittedKnownMs[series] = isSame ? other.open[source].emittedKnownMs[from] : 0;
      }
    }
  }

  private void adopt(int series, int a, OpenSlots other, int from, int source) {
    OpenArchive slots = other.open[source];
    open[a].value[series] = slots.value[from];
    open[a].knownMs[series] = slots.knownMs[from];
    if (stepMs != other.stepMs && other.pdpKnownMs[from] > 0) {
      open[a].take(archives[a].function(), series, other.pdp[from], other.pdpKnownMs[from], 1);
    }
  }

  /** Index of the archive with the same function and shape, or else step; -1 if there is none. */
  private int indexOf(Archive archive) {
    int found = -1;
    for (int a = 0; a < archives.length; a++) {
      if (archives[a].function() == archive.function()
          && archives[a].shape().stepMs() == archive.shape().stepMs()) {
        if (archives[a].shape().equals(archive.shape())) {
          return a;
        }
        found = a;
      }
    }
    return found;
  }

  /** Whether the open slots of an archive continue in other slots. */
  public boolean continuesIn(int archive, OpenSlots next) {
    boolean keepsSums =
        stepMs == next.stepMs || archives[archive].function() != ConsolidationFunction.SUM;
    return finest == next.finest && keepsSums && next.indexOf(archives[archive]) >= 0;
  }

  /** Index of the same archive in other slots; -1 if there is none. */
  public int indexIn(OpenSlots next, int archive) {
    int found = next.indexOf(archives[archive]);
    boolean isSame = found >= 0 && next.archives[found].shape().equals(archives[archive].shape());
    return isSame ? found : -1;
  }

  /** Forgets a series; the next point starts a new one. */
  public void forget(int series) {
    lastMs[series] = NONE;
    pdpKnownMs[series] = 0;
    wholeFromMs[series] = ALWAYS;
    for (OpenArchive slots : open) {
      slots.reset(series);
    }
  }

  /**
   * Prepares a series for a replay from any time: forgets its last point and its open slots. Slots
   * that start before the first replayed point are not emitted again, because the replay has only
   * some of their points. All others are emitted again, bit-identical. {@link ReorderWindow#rewind}
   * calls it.
   *
   * @param reorderMs reorder window of the policy, ms. Points from before the start of the replay
   *     may be up to this much newer than its first point, so slots that start within it are not
   *     emitted either.
   */
  void prepareReplay(int series, long reorderMs) {
    forget(series);
    wholeFromMs[series] = reorderMs;
  }

  /** Whether the series has had a point, perhaps before a replay. */
  boolean hasHadPoint(int series) {
    return lastMs[series] != NONE || wholeFromMs[series] != ALWAYS;
  }

  /**
   * Emits the open slots of a silent series that end at least a heartbeat (in Whisper mode, a
   * finest step) before {@code nowMs}. Their state stays: a late point causes the slot to be
   * emitted again with all its points.
   */
  public void emitSilent(int series, long nowMs, SlotSink sink) {
    long last = lastMs[series];
    if (last == NONE || last + silenceMs > nowMs) { // no open slot ends before the last point
      return;
    }
    for (int a = 0; a < archives.length; a++) {
      long endMs = openEndMs(series, a);
      if (endMs + silenceMs <= nowMs) {
        emitOpen(series, a, endMs, sink);
      }
    }
  }

  /**
   * Emits the open slot of an archive if it is known well enough. Its known time only grows, so the
   * closed value always replaces this one.
   */
  public void emitOpen(int series, int archive, SlotSink sink) {
    if (lastMs[series] != NONE) {
      emitOpen(series, archive, openEndMs(series, archive), sink);
    }
  }

  /**
   * Emits the open slot of an archive of an active series, but not before a slot of the shortest
   * step: otherwise the newest slot after a silence would be in a coarser archive only, and be
   * shown in that step.
   */
  public void emitOpenOnceBegun(int series, int archive, SlotSink sink) {
    boolean isShortestEmitted = open[shortest].emittedKnownMs[series] != 0;
    if (isShortestEmitted
        || archives[archive].shape().stepMs() == archives[shortest].shape().stepMs()
        || knownMs(series, archive) > knownMs(series, shortest)) {
      emitOpen(series, archive, sink);
    }
  }

  /**
   * Emits the open finest slot of a series once, in all archives of that step, if it is known well
   * enough.
   */
  public void emitOpenFinest(int series, SlotSink sink) {
    if (pdpKnownMs[series] == 0) {
      return;
    }
    for (int a = 0; a < archives.length; a++) {
      if (archives[a].shape().stepMs() == stepMs && open[a].emittedKnownMs[series] == 0) {
        emitOpen(series, a, openEndMs(series, a), sink);
      }
    }
  }

  private long openEndMs(int series, int a) {
    return archives[a].shape().endOf(filling.finestEndMs(lastMs[series]));
  }

  private void emitOpen(int series, int a, long endMs, SlotSink sink) {
    long knownMs = knownMs(series, a);
    if (isBetterKnown(series, a, endMs, knownMs)) {
      open[a].emittedKnownMs[series] = knownMs;
      sink.slot(a, series, endMs, value(series, a));
    }
  }

  /** Known time of the open slot of an archive, with the PDP, ms. */
  private long knownMs(int series, int a) {
    return open[a].knownMs[series] + pdpKnownMs[series];
  }

  /** Value of the open slot of an archive, with the PDP. */
  private double value(int series, int a) {
    OpenArchive slots = open[a];
    return pdpKnownMs[series] == 0
        ? slots.value[series]
        : archives[a]
            .function()
            .take(slots.value[series], slots.knownMs[series], pdp[series], pdpKnownMs[series], 1);
  }

  /** Open slot of each archive, with the PDP; empty before the first point. */
  public List<OpenSlot> open(int series) {
    return lastMs[series] == NONE
        ? List.of()
        : IntStream.range(0, archives.length)
            .mapToObj(
                a ->
                    new OpenSlot(
                        archives[a], openEndMs(series, a), knownMs(series, a), value(series, a)))
            .toList();
  }

  /** Whether a slot is known well enough, and better than when it was last emitted. */
  private boolean isBetterKnown(int series, int a, long endMs, long knownMs) {
    return knownMs >= leastKnownMs[a]
        && knownMs > open[a].emittedKnownMs[series]
        && endMs - archives[a].shape().stepMs() >= wholeFromMs[series];
  }

  /** Adds {@code ms} more of known time to the PDP. */
  void addToPdp(int series, double value, long ms) {
    long known = pdpKnownMs[series];
    pdp[series] = ConsolidationFunction.WMEAN.take(pdp[series], known, value, ms, 1);
    pdpKnownMs[series] = known + ms;
  }

  /**
   * Adds a point to the PDP, which is then fully known. If the value changes, open slots may be
   * emitted again.
   */
  void setInPdp(int series, ConsolidationFunction function, double point) {
    double value = function.take(pdp[series], pdpKnownMs[series], point, stepMs, 1);
    if (pdpKnownMs[series] > 0 && pdp[series] != value) {
      for (OpenArchive slots : open) {
        slots.emittedKnownMs[series] = slots.emittedKnownMs[series] == 0 ? 0 : CHANGED;
      }
    }
    pdp[series] = value;
    pdpKnownMs[series] = stepMs;
  }

  /** Closes the PDP, a finest slot that ends at {@code endMs}, into the archives. */
  void closePdp(int series, long endMs, SlotSink sink) {
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

  /** Closes the slots that end within (from, to]; the time after {@code fromMs} is unknown. */
  void passUnknown(int series, long fromMs, long toMs, SlotSink sink) {
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

  /**
   * Excludes slots that start before the end of a silence if a replay may lack points at its
   * beginning: it may not be a silence.
   */
  void extendPartial(int series, long fromMs, long toMs) {
    if (fromMs < wholeFromMs[series]) {
      wholeFromMs[series] = Math.max(wholeFromMs[series], toMs);
    }
  }

  /** Adds fully known finest slots between two multiples of the step. */
  void takeWholeSlots(int series, long fromMs, long toMs, double value, SlotSink sink) {
    for (int a = 0; a < archives.length; a++) {
      takeWholeSlots(series, a, fromMs, toMs, value, sink);
    }
  }

  private void takeWholeSlots(
      int series, int a, long fromMs, long toMs, double value, SlotSink sink) {
    Archive archive = archives[a];
    long archiveStepMs = archive.shape().stepMs();
    long atMs = fromMs;
    if (toMs - fromMs > archive.shape().spanMs()) {
      // longer than the archive: only its newest span can be kept
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
    if (isBetterKnown(series, a, endMs, slots.knownMs[series])) {
      sink.slot(a, series, endMs, slots.value[series]);
    }
    slots.reset(series);
  }

  /** The open slot of one archive, for each series. */
  static final class OpenArchive {
    final double[] value;
    final long[] knownMs;

    /**
     * Known time of the value last emitted while open, ms; 0 = none, {@link #CHANGED} = the value
     * has changed since.
     */
    final long[] emittedKnownMs;

    OpenArchive(int width) {
      value = new double[width];
      knownMs = new long[width];
      emittedKnownMs = new long[width];
    }

    void take(ConsolidationFunction function, int series, double v, long ms, long slots) {
      value[series] = function.take(value[series], knownMs[series], v, ms, slots);
      knownMs[series] += ms;
    }

    void reset(int series) {
      knownMs[series] = 0;
      emittedKnownMs[series] = 0;
    }
  }
}
