package dev.rondo.topology.segment;

import dev.rondo.formats.DropReason;
import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.archive.ArchiveShape;
import dev.rondo.topology.archive.OpenSlot;
import dev.rondo.topology.archive.OpenSlots;
import dev.rondo.topology.archive.ReorderWindow;
import dev.rondo.topology.archive.SlotSink;
import dev.rondo.topology.archive.Verdict;
import dev.rondo.topology.lag.Arrival;
import dev.rondo.topology.memory.MemoryShare;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.rows.PendingRows;
import dev.rondo.topology.rows.PendingRows.RowSink;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Up to {@code width} series of one policy in one task; the unit of state. The {@link SegmentSink}
 * receives the results:
 *
 * <pre>
 *   point → reorder window → open slots → rows → sink
 * </pre>
 */
public final class Segment {
  private final int number;
  private final int width;
  private final SegmentContext task;
  private final TaskClock clock;
  private final TaskMemory memory;
  private final SegmentSink sink;

  private Policy policy;
  private SilenceClock silence;

  /** {@link ArchiveShape#aheadMs} of each archive. */
  private long[] aheadMs;

  // fields, so that points allocate none of them
  private final ReorderWindow.Target toSlots = this::addToSlots;
  private final SlotSink toRows = this::addToRow;
  private final SlotSink toRowsByTime = this::emitSlot;
  private final SlotSink toRowsNow = this::emitSlotNow;
  private final RowSink toSink = this::sendRow;

  /** Ident of the series at each position; null = none. */
  private final String[] idents;

  /** Memory that counts {@link #window}, by the source of each series; null = none. */
  private final MemoryShare[] reorder;

  ReorderWindow window;
  OpenSlots slots;
  PendingRows rows;
  LastSeen lastSeen;
  final PositionHistory history;
  private final LiveSeries live = new LiveSeries();
  private final UnconfirmedLocations unconfirmed = new UnconfirmedLocations();

  /** Latest replay that this state includes. */
  private int replayEpoch;

  /** Heap of {@link #window} when it was last counted, bytes. */
  private long windowBytes;

  private boolean isChanged;

  /** Whether points were added since the open finest slots were last checked. */
  private boolean hasNewPoints = true;

  /** Whether open finest slots were emitted since the last commit. */
  private boolean hasEmittedOpen;

  Segment(int number, Policy policy, int width, SegmentContext task, int replayEpoch) {
    this.number = number;
    this.width = width;
    this.task = task;
    this.clock = task.clock();
    this.memory = task.memory();
    this.sink = task.sink();
    this.replayEpoch = replayEpoch;
    this.idents = new String[width];
    this.reorder = new MemoryShare[width];
    this.history = new PositionHistory(width);
    begin(policy);
  }

  private void begin(Policy policy) {
    this.policy = policy;
    this.silence = task.silence().of(policy);
    this.aheadMs = policy.archives().stream().mapToLong(a -> a.shape().aheadMs()).toArray();
    this.window = new ReorderWindow(policy.reorderMs(), policy.isWhisper(), width);
    this.slots = slots(policy);
    this.rows =
        new PendingRows(
            width, lingerMs(policy.archives(), task.maxLingerMs()), memory.rows(), task.arrival());
    this.lastSeen = new LastSeen(policy.expireAfterMs(), silence, clock, width);
  }

  private OpenSlots slots(Policy of) {
    return new OpenSlots(of.stepMs(), of.heartbeatMs(), of.finest(), of.archives(), width);
  }

  private static List<Long> lingerMs(List<Archive> archives, long maxLingerMs) {
    return archives.stream().map(a -> Math.min(a.shape().stepMs() / 2, maxLingerMs)).toList();
  }

  public int number() {
    return number;
  }

  public Policy policy() {
    return policy;
  }

  public int width() {
    return width;
  }

  /** Ident of the series at a position; null if there is none. */
  public String ident(int series) {
    return idents[series];
  }

  int replayEpoch() {
    return replayEpoch;
  }

  SilenceClock silence() {
    return silence;
  }

  /** Whether the segment has changed since it was last written to the store. */
  boolean isChanged() {
    return isChanged;
  }

  void changed() {
    isChanged = true;
    live.invalidate();
  }

  /** Marks the segment as written to the store. */
  void written() {
    isChanged = false;
    hasEmittedOpen = false;
  }

  /** Starts the segment after its state has been restored. */
  public void start() {
    countLive(clock.newestMs());
    lastSeen.start();
    unconfirmLocations();
  }

  /**
   * Adds a point of a series.
   *
   * @param tMs epoch ms
   */
  public void add(int series, long tMs, double value) {
    lastSeen.see(series);
    Verdict verdict = window.add(series, tMs, value, slots.lateMs(series), toSlots);
    if (verdict == Verdict.BUFFERED && window.buffered(series) > 0) {
      changed();
      if (memory.reorder().exceeds(reorder[series])) {
        window.releaseOldest(series, toSlots);
        verdict = Verdict.EVICTED;
      }
    }
    countWindow(series);
    if (verdict == Verdict.EVICTED) {
      changed();
      sink.evicted();
    } else {
      dropIfRefused(verdict, series, tMs);
    }
  }

  /** Adds a point that the reorder window has released. */
  private void addToSlots(int series, long tMs, double value) {
    Verdict verdict = slots.add(series, tMs, value, toRows);
    if (dropIfRefused(verdict, series, tMs)) {
      return;
    }
    changed();
    hasNewPoints = true;
    if (verdict == Verdict.FIRST) {
      live.add();
      sink.first(this, series, tMs);
    }
    sink.stored();
  }

  private boolean dropIfRefused(Verdict verdict, int series, long tMs) {
    switch (verdict) {
      case DUPLICATE -> sink.dropped(this, series, DropReason.DUPLICATE_TIME, tMs);
      case LATE -> sink.dropped(this, series, DropReason.LATE, tMs);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void addToRow(int archive, int series, long endMs, double value) {
    if (endMs - clock.presentMs() > aheadMs[archive]) {
      sink.dropped(this, series, DropReason.SLOT_TOO_FAR_AHEAD, endMs);
      return;
    }
    rows.set(archive, series, endMs, value, live.count(), clock.newestMs(), clock.nowMs(), toSink);
  }

  private void sendRow(int archive, long endMs, double[] values, Arrival arrival) {
    sink.row(this, archive, endMs, values, arrival);
  }

  /** Updates the memory of the window after a change of one series. */
  private void countWindow(int series) {
    long bytes = window.heapBytes();
    if (bytes != windowBytes) {
      if (reorder[series] != null) {
        reorder[series].add(0, bytes - windowBytes);
      }
      windowBytes = bytes;
    }
  }

  /** Ends the restoration. {@link #assign} counts the memory of the window. */
  void restored() {
    windowBytes = window.heapBytes();
  }

  /**
   * Emits what is due by time alone: points of silent series in the reorder window, slots of silent
   * series, open slots of archives whose step is longer than {@code shownMs}, open finest slots
   * that are known well enough, and rows whose linger time is over.
   */
  public void tick(long shownMs) {
    long streamTimeMs = clock.streamTimeMs();
    releaseSilent(streamTimeMs);
    evict();
    countLive(streamTimeMs);
    emitSlots(streamTimeMs, shownMs);
    emitOpenFinest();
    sendLingering(streamTimeMs);
  }

  /** Emits only the rows whose linger time is over. */
  public void sendLingering() {
    sendLingering(clock.streamTimeMs());
  }

  private void sendLingering(long streamTimeMs) {
    if (rows.sendLingering(streamTimeMs, clock.nowMs(), toSink) || silence.mustBeWritten()) {
      changed();
    }
  }

  /**
   * Releases the points of series that are silent by stream time and by the monotonic clock. A
   * series that is only behind the others is not silent.
   */
  private void releaseSilent(long streamTimeMs) {
    if (!window.mayBuffer()) {
      return;
    }
    long lengthMs = policy.silenceMs() + policy.reorderMs();
    long silentMs = streamTimeMs - lengthMs;
    for (int series = 0; series < width; series++) {
      if (window.buffered(series) > 0
          && window.newestMs(series) <= silentMs
          && lastSeen.clockMs(series) + lengthMs <= clock.nowMs()) {
        window.releaseSilent(series, silentMs, toSlots);
        countWindow(series);
      }
    }
  }

  /** Releases points of sources that exceed their share, which may have stopped sending. */
  private void evict() {
    if (!window.mayBuffer() || !memory.reorder().isFull()) {
      return;
    }
    for (int series = 0; series < width; series++) {
      while (window.buffered(series) > 0 && memory.reorder().exceeds(reorder[series])) {
        window.releaseOldest(series, toSlots);
        countWindow(series);
        changed();
        sink.evicted();
      }
    }
  }

  private void countLive(long streamTimeMs) {
    live.update(slots, width, streamTimeMs, policy.silenceMs() + policy.reorderMs());
  }

  private void emitSlots(long streamTimeMs, long shownMs) {
    List<Archive> archives = policy.archives();
    if (live.anySilentSince(streamTimeMs - policy.silenceMs())) {
      for (int series = 0; series < width; series++) {
        slots.emitSilent(series, streamTimeMs, toRowsByTime);
      }
    }
    for (int a = 0; a < archives.size(); a++) {
      if (archives.get(a).shape().stepMs() > shownMs) {
        for (int series = 0; series < width; series++) {
          slots.emitOpenOnceBegun(series, a, toRowsByTime);
        }
      }
    }
  }

  /**
   * Emits each open finest slot once, at most once a commit: readers see rows only after a commit,
   * and a row sent later holds more series.
   */
  private void emitOpenFinest() {
    if (!policy.emitsOpen() || !hasNewPoints || hasEmittedOpen) {
      return;
    }
    hasNewPoints = false;
    for (int series = 0; series < width; series++) {
      slots.emitOpenFinest(series, toRowsNow);
    }
  }

  private void emitSlot(int archive, int series, long endMs, double value) {
    changed();
    addToRow(archive, series, endMs, value);
  }

  private void emitSlotNow(int archive, int series, long endMs, double value) {
    hasEmittedOpen = true;
    emitSlot(archive, series, endMs, value);
    rows.endLinger(archive, endMs);
  }

  /** Earliest arrival of the points in buffered rows; null if none is known. */
  public Arrival lingering() {
    return rows.firstArrival();
  }

  /** Time of the last point in the slots of a series, epoch ms; {@link Long#MIN_VALUE} if none. */
  public long lastMs(int series) {
    return slots.lastMs(series);
  }

  /** Time of the newest point of a series, epoch ms; {@link Long#MIN_VALUE} if none. */
  public long newestMs(int series) {
    return Math.max(slots.lastMs(series), window.newestMs(series));
  }

  /** Number of points of a series in the reorder window. */
  public int reordering(int series) {
    return window.buffered(series);
  }

  /** Open slot of a series in each archive; empty before its first point. */
  public List<OpenSlot> open(int series) {
    return slots.open(series);
  }

  /** Time of the newest point, epoch ms; {@link Long#MIN_VALUE} if none. */
  public long newestMs() {
    long newestMs = Long.MIN_VALUE;
    for (int series = 0; series < width; series++) {
      newestMs = Math.max(newestMs, newestMs(series));
    }
    return newestMs;
  }

  /**
   * Assigns a free position to a series.
   *
   * @param source source topic, whose memory counts its points in the window
   */
  public void assign(int series, String ident, String source) {
    idents[series] = ident;
    reorder[series] = memory.reorder().of(source);
    reorder[series].add(0, window.heapBytes(series));
  }

  /** Marks values of a series in PostgreSQL, up to {@code untilMs}, that come from no point. */
  public void markStoredUntil(int series, long untilMs) {
    history.rewind(series, untilMs);
    lastSeen.see(series);
    changed();
  }

  public void free(int series) {
    history.free(series, slots.lastEndMs(series));
    slots.forget(series);
    window.forget(series);
    countWindow(series);
    idents[series] = null;
    reorder[series] = null;
    changed();
  }

  /** Whether a series has the position, or one with points has had it. */
  public boolean wasAssigned(int series) {
    return idents[series] != null
        || window.buffered(series) > 0
        || usedUntilMs(series) != PositionHistory.NEVER;
  }

  /** End of the last slot with a value at a position, of any of its series, epoch ms. */
  public long usedUntilMs(int series) {
    return Math.max(
        Math.max(history.previousUntilMs(series), history.ownUntilMs(series)),
        slots.lastEndMs(series));
  }

  /**
   * End of the last slot with a value of an earlier series at a position, epoch ms; {@link
   * Long#MIN_VALUE} if there was none.
   */
  public long previousUntilMs(int series) {
    return history.previousUntilMs(series);
  }

  /**
   * End of the last slot with a value of the present series that its open slots do not include,
   * epoch ms; {@link Long#MIN_VALUE} if there is none.
   */
  public long ownUntilMs(int series) {
    return history.ownUntilMs(series);
  }

  /**
   * Passes expired series ({@link LastSeen}), whose slots have all been emitted, to {@code
   * expired}, which frees their positions.
   */
  public void forEachExpired(IntConsumer expired) {
    if (!lastSeen.mayHaveExpired()) {
      return;
    }
    long oldestSeenMs = Long.MAX_VALUE / 2;
    for (int series = 0; series < width; series++) {
      if (isExpired(series, clock.streamTimeMs())) {
        expired.accept(series);
      }
      if (idents[series] != null) {
        oldestSeenMs = Math.min(oldestSeenMs, lastSeen.clockMs(series));
      }
    }
    lastSeen.expireNoneBefore(oldestSeenMs);
  }

  private boolean isExpired(int series, long streamTimeMs) {
    if (idents[series] == null || window.buffered(series) > 0 || !lastSeen.isSilent(series)) {
      return false;
    }
    long newestMs = Math.max(slots.lastMs(series), history.ownUntilMs(series));
    return newestMs != PositionHistory.NEVER
        && newestMs + policy.expireAfterMs() <= streamTimeMs
        && slots.lastEndMs(series) + policy.silenceMs() <= streamTimeMs;
  }

  /**
   * Continues under another version of the policy. Open slots continue in archives with the same
   * function and step; the others are emitted if enough of them is known.
   */
  public void changePolicy(Policy next) {
    OpenSlots slotsBefore = slots;
    ReorderWindow windowBefore = window;
    PendingRows rowsBefore = rows;
    LastSeen seenBefore = lastSeen;
    OpenSlots slotsNext = slots(next);
    for (int series = 0; series < width; series++) {
      emitEnding(series, slotsNext);
    }
    List<Integer> kept =
        IntStream.range(0, policy.archives().size())
            .mapToObj(a -> slotsBefore.indexIn(slotsNext, a))
            .toList();
    rowsBefore.forEach(
        (archive, endMs, values, arrived) -> {
          if (kept.get(archive) < 0) {
            sendRow(archive, endMs, values, arrived);
          }
        });
    begin(next);
    for (int series = 0; series < width; series++) {
      slots.adopt(series, slotsBefore, series, true);
      if (slotsBefore.lastEndMs(series) > slots.lastEndMs(series)) {
        history.rewind(series, slotsBefore.lastEndMs(series)); // of a removed archive
      }
      window.adopt(series, windowBefore, series);
      lastSeen.adopt(series, seenBefore, series);
    }
    rowsBefore.forEach(
        (archive, endMs, values, arrived) -> {
          if (kept.get(archive) >= 0) {
            rows.restore(
                kept.get(archive), endMs, values, clock.newestMs(), clock.nowMs(), arrived);
          }
        });
    rowsBefore.clear();
    changed();
  }

  /** Continues a series of a segment of another policy, at a free position of this one. */
  public void adopt(int series, Segment other, int from) {
    other.emitEnding(from, slots);
    slots.adopt(series, other.slots, from, false);
    window.adopt(series, other.window, from);
    lastSeen.adopt(series, other.lastSeen, from);
    history.rewind(series, other.history.ownUntilMs(from));
    countWindow(series);
    changed();
  }

  /** Emits the open slots of a series that do not continue in {@code next}. */
  private void emitEnding(int series, OpenSlots next) {
    for (int a = 0; a < policy.archives().size(); a++) {
      if (!slots.continuesIn(a, next)) {
        slots.emitOpen(series, a, toRowsByTime);
      }
    }
  }

  /** Emits the buffered points and open slots of a series that ends. */
  public void end(int series) {
    window.releaseSilent(series, Long.MAX_VALUE, toSlots);
    countWindow(series);
    for (int a = 0; a < policy.archives().size(); a++) {
      slots.emitOpen(series, a, toRowsByTime);
    }
    changed();
  }

  /** Emits all buffered points, open slots and rows, when no input follows. */
  public void end() {
    for (int series = 0; series < width; series++) {
      end(series);
    }
    rows.forEach(toSink);
    rows.clear();
    changed();
  }

  /** Marks all locations as unconfirmed: any series may have moved to another partition. */
  public void unconfirmLocations() {
    unconfirmed.addAll(width, clock.nowMs());
  }

  /** Confirms a location that has just been emitted. */
  public void confirmLocation(int series) {
    unconfirmed.confirm(series);
  }

  /** Confirms each unconfirmed series with a point since, and passes it to {@code here}. */
  public void forEachConfirmed(IntConsumer here) {
    unconfirmed.confirm(lastSeen, here);
  }

  /**
   * Forgets open slots and the times of last points, because a replay sends these points again.
   * Buffered rows stay, as their slots are closed.
   */
  void rewind(int epoch) {
    for (int series = 0; series < width; series++) {
      history.rewind(series, slots.lastEndMs(series));
      window.rewind(series, slots);
    }
    lastSeen.rewind();
    replayEpoch = epoch;
  }
}
