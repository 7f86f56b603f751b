package dev.rondo.topology.consolidate;

import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.archive.OpenSlots;
import dev.rondo.topology.archive.ReorderWindow;
import dev.rondo.topology.archive.SlotSink;
import dev.rondo.topology.archive.Verdict;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.rows.PendingRows;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Up to {@code width} series of one policy in one task: the unit of state. Holds their open slots
 * and the buffered rows.
 */
final class Segment {
  /**
   * A series is not retired until it has sent nothing for this long by the clock, or for {@code
   * expire.after} if that is shorter.
   */
  private static final long UNSEEN_MS = 3_600_000;

  private static final long UNKNOWN = Long.MAX_VALUE;

  private final int number;
  private final Policy policy;
  private final int width;
  final ReorderWindow window;
  final OpenSlots slots;
  final PendingRows rows;
  final PositionHistory history;

  /** The series at each position; null where there is none. */
  final String[] idents;

  /** When the last point of each series arrived, stored or not, by the clock, epoch ms. */
  private final long[] lastSeenMs;

  /** The {@link ArrivalTime} then, ms; {@link #UNKNOWN} before the first point. */
  private final long[] lastSeenArrivalMs;

  private final ArrivalTime arrival;
  private final TaskMemory memory;

  /** What {@link #window} holds, as far as it is counted in {@link #memory}, bytes. */
  private long windowBytes;

  /** Series that may have moved to another partition since their location was emitted. */
  private final BitSet unconfirmed = new BitSet();

  /** Since when they have been unconfirmed, by the clock, epoch ms. */
  private long unconfirmedMs;

  /** The replay that its state has seen. */
  private int replayEpoch;

  /** Whether it has changed since it was last written to the store. */
  boolean dirty;

  /** Number of series that sent points recently: a row is buffered until all have a value. */
  int live;

  /** Oldest of the last points of its series, epoch ms; set by {@link #countLive}. */
  private long oldestLastMs;

  /** Time before which none of its series can expire, by the clock, epoch ms. */
  private long noneExpiresBeforeMs;

  Segment(
      int number,
      Policy policy,
      int width,
      long maxLingerMs,
      TaskMemory memory,
      ArrivalTime arrival,
      int replayEpoch) {
    this.number = number;
    this.policy = policy;
    this.width = width;
    this.replayEpoch = replayEpoch;
    this.history = new PositionHistory(width);
    this.idents = new String[width];
    this.lastSeenMs = new long[width];
    this.lastSeenArrivalMs = new long[width];
    this.memory = memory;
    this.arrival = arrival;
    Arrays.fill(lastSeenArrivalMs, UNKNOWN);
    this.window = new ReorderWindow(policy.reorderMs(), policy.isWhisper(), width);
    this.slots = new OpenSlots(policy.stepMs(), policy.heartbeatMs(), policy.archives(), width);
    this.rows = new PendingRows(width, lingerMs(policy.archives(), maxLingerMs), memory.rows());
  }

  private static List<Long> lingerMs(List<Archive> archives, long maxLingerMs) {
    return archives.stream().map(a -> Math.min(a.shape().stepMs() / 2, maxLingerMs)).toList();
  }

  int number() {
    return number;
  }

  Policy policy() {
    return policy;
  }

  int width() {
    return width;
  }

  int replayEpoch() {
    return replayEpoch;
  }

  /** End of the last slot with a value at a position, of any series it had, epoch ms. */
  long usedUntilMs(int series) {
    return Math.max(
        Math.max(history.previousUntilMs(series), history.ownUntilMs(series)),
        slots.lastEndMs(series));
  }

  /** Whether a position was ever assigned to a series that has sent a point. */
  boolean isGiven(int series) {
    return idents[series] != null
        || window.buffered(series) > 0
        || usedUntilMs(series) != PositionHistory.NEVER;
  }

  /** Starts to measure silence at {@code nowMs}: before it no point could arrive. */
  void listenFrom(long nowMs) {
    Arrays.fill(lastSeenMs, nowMs);
    for (int series = 0; series < width; series++) {
      lastSeenArrivalMs[series] = Math.min(lastSeenArrivalMs[series], arrival.ms());
    }
  }

  /** How long points have kept arriving, as its policy sees it. */
  ArrivalTime arrival() {
    return arrival;
  }

  /** When the last point of a series arrived, by {@link #arrival}, ms. */
  long lastSeenArrivalMs(int series) {
    return lastSeenArrivalMs[series];
  }

  void restoreLastSeen(int series, long arrivalMs) {
    lastSeenArrivalMs[series] = arrivalMs;
  }

  /** Notes that a point of the series has arrived. */
  void seen(int series, long nowMs) {
    lastSeenMs[series] = nowMs;
    lastSeenArrivalMs[series] = arrival.ms();
    if (noneExpiresBeforeMs - nowMs > UNSEEN_MS) {
      noneExpiresBeforeMs = 0; // the first series of a segment, or the clock was set back
    }
  }

  /**
   * Adds a point of a series to the reorder window; {@code target} takes the points it releases.
   *
   * @return as {@link ReorderWindow#add}; evicted, too, if the instance has no memory for it
   */
  Verdict add(int series, long tMs, double value, ReorderWindow.Target target) {
    Verdict verdict = window.add(series, tMs, value, slots.lateMs(series), target);
    if (verdict == Verdict.BUFFERED && window.buffered(series) > 0 && memory.reorder().isFull()) {
      window.releaseOldest(series, target);
      verdict = Verdict.EVICTED;
    }
    countWindow();
    return verdict;
  }

  /** Updates the memory account by what the window holds now. */
  void countWindow() {
    long bytes = window.heapBytes();
    if (bytes != windowBytes) {
      memory.reorder().add(0, bytes - windowBytes);
      windowBytes = bytes;
    }
  }

  /** Marks all series: each may have moved to another partition. */
  void unconfirmLocations(long nowMs) {
    unconfirmed.set(0, width);
    unconfirmedMs = nowMs;
  }

  /** Notes that the location of a series was just emitted. */
  void confirmed(int series) {
    unconfirmed.clear(series);
  }

  /** Passes on, once, each unconfirmed series that has sent a point since: it is here. */
  void seenWhileUnconfirmed(IntConsumer sink) {
    for (int s = unconfirmed.nextSetBit(0); s >= 0; s = unconfirmed.nextSetBit(s + 1)) {
      if (lastSeenMs[s] > unconfirmedMs) {
        unconfirmed.clear(s);
        sink.accept(s);
      }
    }
  }

  /**
   * Whether a series has been silent for {@code expire.after} while points of others kept arriving.
   * It must also have been silent for a while by the clock, because its points may only be behind
   * the others. All of its slots are emitted by then.
   */
  boolean isExpired(int series, long partitionMs, long nowMs) {
    if (idents[series] == null
        || window.buffered(series) > 0
        || arrival.ms() - lastSeenArrivalMs[series] < policy.expireAfterMs()
        || nowMs - lastSeenMs[series] < Math.min(policy.expireAfterMs(), UNSEEN_MS)) {
      return false;
    }
    long newestMs = Math.max(slots.lastMs(series), history.ownUntilMs(series));
    return newestMs != PositionHistory.NEVER
        && newestMs + policy.expireAfterMs() <= partitionMs
        && slots.lastEndMs(series) + policy.silenceMs() <= partitionMs;
  }

  /** Whether any series can have expired since {@link #noneHasExpired}. */
  boolean mayHaveExpired(long nowMs) {
    return nowMs >= noneExpiresBeforeMs;
  }

  /** Notes that no series has expired: the next can when the one silent longest expires. */
  void noneHasExpired() {
    long oldestSeenMs = Long.MAX_VALUE - UNSEEN_MS;
    for (int series = 0; series < width; series++) {
      if (idents[series] != null) {
        oldestSeenMs = Math.min(oldestSeenMs, lastSeenMs[series]);
      }
    }
    noneExpiresBeforeMs = oldestSeenMs + Math.min(policy.expireAfterMs(), UNSEEN_MS);
  }

  /** Frees the position of a series. */
  void leave(int series) {
    history.leave(series, slots.lastEndMs(series));
    slots.forget(series);
    window.forget(series);
    countWindow();
    idents[series] = null;
  }

  /**
   * Forgets open slots and the times of last points, because a replay sends these points again.
   * Buffered rows stay: their slots are closed.
   */
  void rewind(int epoch) {
    for (int series = 0; series < width; series++) {
      history.rewind(series, slots.lastEndMs(series));
      window.rewind(series, slots);
    }
    Arrays.fill(lastSeenArrivalMs, UNKNOWN);
    replayEpoch = epoch;
  }

  /** Time of the newest point of a series, epoch ms; {@link Long#MIN_VALUE} if there is none. */
  long newestMs(int series) {
    return Math.max(slots.lastMs(series), window.newestMs(series));
  }

  /** Counts the series that are not silent at {@code partitionMs}. */
  void countLive(long partitionMs) {
    long oldestMs = partitionMs - policy.silenceMs() - policy.reorderMs();
    int count = 0;
    oldestLastMs = Long.MAX_VALUE;
    for (int series = 0; series < width; series++) {
      long lastMs = slots.lastMs(series);
      if (lastMs >= oldestMs) {
        count++;
      }
      if (lastMs != Long.MIN_VALUE) {
        oldestLastMs = Math.min(oldestLastMs, lastMs);
      }
    }
    live = count;
  }

  /**
   * Releases the reorder window of silent series. A series is silent by stream time and by the
   * clock: one that is only behind the others is not.
   */
  void releaseSilent(long partitionMs, long nowMs, ReorderWindow.Target target) {
    if (!window.mayBuffer()) {
      return;
    }
    long lengthMs = policy.silenceMs() + policy.reorderMs();
    long silentMs = partitionMs - lengthMs;
    for (int series = 0; series < width; series++) {
      if (window.buffered(series) > 0
          && window.newestMs(series) <= silentMs
          && lastSeenMs[series] + lengthMs <= nowMs) {
        window.releaseSilent(series, silentMs, target);
      }
    }
    countWindow();
  }

  /**
   * Emits open slots that have to be visible: those of silent series, which no point can fill any
   * more, and those of archives whose step is longer than {@code shownMs}. Call {@link #countLive}
   * before.
   */
  void emit(long partitionMs, long shownMs, SlotSink sink) {
    List<Archive> archives = policy.archives();
    if (oldestLastMs <= partitionMs - policy.silenceMs()) {
      for (int series = 0; series < width; series++) {
        slots.emitSilent(series, partitionMs, sink);
      }
    }
    for (int a = 0; a < archives.size(); a++) {
      if (archives.get(a).shape().stepMs() > shownMs) {
        for (int series = 0; series < width; series++) {
          slots.emitOpen(series, a, sink);
        }
      }
    }
  }
}
