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
 * Up to {@code width} series of one policy that live in one task: the unit of state. Holds their
 * open slots and the rows that still wait for values.
 */
final class Segment {
  /**
   * A series is not retired before nothing of it has come for this long by the clock; where {@code
   * expire.after} is shorter, for that long.
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

  /** When the last point of each series came, stored or not, by the clock, epoch ms. */
  private final long[] lastSeenMs;

  /** The {@link ArrivalTime} then, ms; {@link #UNKNOWN} before any came. */
  private final long[] lastSeenArrivalMs;

  private final ArrivalTime arrival;
  private final TaskMemory memory;

  /** What {@link #window} holds, as far as it is counted in {@link #memory}, bytes. */
  private long windowBytes;

  /** Series that may have come to live elsewhere since they told their place. */
  private final BitSet unconfirmed = new BitSet();

  /** Since when they are unconfirmed, by the clock, epoch ms. */
  private long unconfirmedMs;

  /** The replay that its state has seen. */
  private int replayEpoch;

  /** Changed since it was last written to the store. */
  boolean dirty;

  /** Series with points lately: those that a row waits for. */
  int live;

  /** Of the last points of its series that of the one silent longest; {@link #countLive}. */
  private long oldestLastMs;

  /** By the clock: none of its series can have expired before, epoch ms. */
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

  /** End of the last slot that a position holds a value in, of whichever series, epoch ms. */
  long usedUntilMs(int series) {
    return Math.max(
        Math.max(history.formerUntilMs(series), history.ownUntilMs(series)),
        slots.lastEndMs(series));
  }

  /** Whether a position was ever given to a series that has sent a point. */
  boolean isGiven(int series) {
    return idents[series] != null
        || window.buffered(series) > 0
        || usedUntilMs(series) != PositionHistory.NEVER;
  }

  /** From {@code nowMs} on points may come: before that no series was silent. */
  void listenFrom(long nowMs) {
    Arrays.fill(lastSeenMs, nowMs);
    for (int series = 0; series < width; series++) {
      lastSeenArrivalMs[series] = Math.min(lastSeenArrivalMs[series], arrival.ms());
    }
  }

  /** How long points have kept coming, as its policy sees it. */
  ArrivalTime arrival() {
    return arrival;
  }

  /** When the last point of a series came, by {@link #arrival}, ms. */
  long lastSeenArrivalMs(int series) {
    return lastSeenArrivalMs[series];
  }

  void restoreLastSeen(int series, long arrivalMs) {
    lastSeenArrivalMs[series] = arrivalMs;
  }

  /** A point of the series has come. */
  void seen(int series, long nowMs) {
    lastSeenMs[series] = nowMs;
    lastSeenArrivalMs[series] = arrival.ms();
    if (noneExpiresBeforeMs - nowMs > UNSEEN_MS) {
      noneExpiresBeforeMs = 0; // the first series of a segment, or the clock was set back
    }
  }

  /**
   * Takes a point of a series; those whose turn it is go to {@code target}.
   *
   * @return as {@link ReorderWindow#add}; evicted, too, where the instance has no memory for it
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

  /** Counts what has come into the window or left it since. */
  void countWindow() {
    long bytes = window.heapBytes();
    if (bytes != windowBytes) {
      memory.reorder().add(0, bytes - windowBytes);
      windowBytes = bytes;
    }
  }

  /** From now on each series may have come to live elsewhere. */
  void unconfirmLocations(long nowMs) {
    unconfirmed.set(0, width);
    unconfirmedMs = nowMs;
  }

  /** A series has just told its place. */
  void confirmed(int series) {
    unconfirmed.clear(series);
  }

  /** Hands over, once, each unconfirmed series that has been heard since: it lives here. */
  void seenWhileUnconfirmed(IntConsumer sink) {
    for (int s = unconfirmed.nextSetBit(0); s >= 0; s = unconfirmed.nextSetBit(s + 1)) {
      if (lastSeenMs[s] > unconfirmedMs) {
        unconfirmed.clear(s);
        sink.accept(s);
      }
    }
  }

  /**
   * Whether the series of a position has been silent for longer than its policy keeps it, while
   * points of others kept coming, and nothing of it has come for a while by the clock either: it
   * may only be behind the others. All that it had to emit is told by then.
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

  /** All that have expired have left: none can before the one unheard longest has been so long. */
  void noneHasExpired() {
    long oldestSeenMs = Long.MAX_VALUE - UNSEEN_MS;
    for (int series = 0; series < width; series++) {
      if (idents[series] != null) {
        oldestSeenMs = Math.min(oldestSeenMs, lastSeenMs[series]);
      }
    }
    noneExpiresBeforeMs = oldestSeenMs + Math.min(policy.expireAfterMs(), UNSEEN_MS);
  }

  /** The series of a position leaves it. */
  void leave(int series) {
    history.leave(series, slots.lastEndMs(series));
    slots.forget(series);
    window.forget(series);
    countWindow();
    idents[series] = null;
  }

  /**
   * Forgets what was open and when the last points were, as these points come again. Rows that wait
   * hold slots that were closed: they stay.
   */
  void rewind(int epoch) {
    for (int series = 0; series < width; series++) {
      history.rewind(series, slots.lastEndMs(series));
      window.rewind(series, slots);
    }
    Arrays.fill(lastSeenArrivalMs, UNKNOWN);
    replayEpoch = epoch;
  }

  /** Time of the newest point of a series, epoch ms; {@link Long#MIN_VALUE} where there is none. */
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
   * Hands on what waits in the reorder window for earlier points of series that are silent, by the
   * time of the partition and by the clock: one that is behind the others is not silent.
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
   * Tells what is open but has to be seen: slots of silent series that nothing can fill any more,
   * and the open slots of archives whose step is longer than {@code shownMs}. Comes after {@link
   * #countLive}.
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
