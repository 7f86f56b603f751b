package dev.rondo.topology.archive;

/**
 * Buffers the points of the series of one segment to sort them by time. A point is released once
 * its series has a point newer by the window. Not safe to share between threads.
 *
 * <pre>
 *   window 10 s, arriving 5 3 12 14 16:   14 releases 3, 16 releases 5; 12 14 16 are buffered
 * </pre>
 */
public final class ReorderWindow {
  /** Maximum serialized size of a segment's buffered points. */
  static final int MAX_BYTES = 1 << 20;

  /** Receives the released points. */
  @FunctionalInterface
  public interface Target {
    /**
     * Receives a point. The points of a series come in time order.
     *
     * @param series index of the series in its segment, from 0
     * @param tMs epoch ms
     */
    void point(int series, long tMs, double value);
  }

  private final long windowMs;
  private final boolean isWhisper;
  private final int capacity;
  private final PointQueue[] queues;
  private long heapBytes;
  private boolean restored; // perhaps from a policy with a window

  /**
   * Creates a window for {@code width} series.
   *
   * @param windowMs length of the window, by times of points of the same series; 0 = none
   * @param isWhisper whether points with equal times are all buffered, as the last one wins;
   *     otherwise later ones are duplicates
   */
  public ReorderWindow(long windowMs, boolean isWhisper, int width) {
    this.windowMs = windowMs;
    this.isWhisper = isWhisper;
    this.capacity =
        Math.max(
            1,
            (MAX_BYTES / width - ReorderWindowCodec.SERIES_BYTES) / ReorderWindowCodec.POINT_BYTES);
    this.queues = new PointQueue[width];
  }

  /**
   * Adds a point and releases the points that are due, perhaps including it, to {@code target}.
   *
   * @param tMs epoch ms
   * @param lateMs time at or before which a point is late ({@link OpenSlots#lateMs})
   * @return {@link Verdict#BUFFERED}, {@link Verdict#EVICTED}, {@link Verdict#DUPLICATE} or {@link
   *     Verdict#LATE}; without a window always {@link Verdict#BUFFERED}, and the target decides
   */
  public Verdict add(int series, long tMs, double value, long lateMs, Target target) {
    PointQueue points = queues[series];
    if (points == null) {
      if (windowMs == 0) {
        target.point(series, tMs, value);
        return Verdict.BUFFERED;
      }
      points = new PointQueue();
    }
    if (tMs <= lateMs) {
      return Verdict.LATE;
    }
    int index = points.indexOf(tMs);
    if (!isWhisper && points.has(index - 1, tMs)) {
      return Verdict.DUPLICATE;
    }
    set(series, null);
    points.insert(index, tMs, value);
    set(series, points);
    release(series, points.newestMs() - windowMs, target);
    if (points.size() > capacity) {
      points.releaseFirst(series, target);
      return Verdict.EVICTED;
    }
    return Verdict.BUFFERED;
  }

  private void set(int series, PointQueue points) {
    heapBytes += heapBytes(points) - heapBytes(queues[series]);
    queues[series] = points;
  }

  private static long heapBytes(PointQueue points) {
    return points == null ? 0 : points.heapBytes();
  }

  /** Heap of all buffered points and their serialized form, bytes. */
  public long heapBytes() {
    return heapBytes;
  }

  /** Heap of the buffered points of one series, bytes. */
  public long heapBytes(int series) {
    return heapBytes(queues[series]);
  }

  /** Releases the oldest buffered point of a series. */
  public void releaseOldest(int series, Target target) {
    PointQueue points = queues[series];
    if (points != null) {
      set(series, null);
      points.releaseFirst(series, target);
      points.trim();
      set(series, points.size() == 0 ? null : points);
    }
  }

  /** Releases the points of a silent series up to {@code untilMs}. */
  public void releaseSilent(int series, long untilMs, Target target) {
    if (queues[series] != null) {
      release(series, untilMs, target);
    }
  }

  private void release(int series, long untilMs, Target target) {
    PointQueue points = queues[series];
    while (points.size() > 0 && points.oldestMs() <= untilMs) {
      points.releaseFirst(series, target);
    }
    if (points.size() == 0) {
      set(series, null);
    }
  }

  /** Moves the buffered points of a series of another window here. */
  public void adopt(int series, ReorderWindow other, int from) {
    PointQueue points = other.queues[from];
    if (points != null) {
      other.set(from, null);
      restore(series, points);
    }
  }

  public void forget(int series) {
    set(series, null);
  }

  /**
   * Prepares a series for a replay: discards its buffered points and rewinds its {@code slots},
   * even if they have had no point yet.
   */
  public void rewind(int series, OpenSlots slots) {
    if (queues[series] != null || slots.hasHadPoint(series)) {
      slots.prepareReplay(series, windowMs);
    }
    forget(series);
  }

  /** Whether any series may have buffered points. */
  public boolean mayBuffer() {
    return windowMs > 0 || restored;
  }

  /** Number of buffered points of a series. */
  public int buffered(int series) {
    return queues[series] == null ? 0 : queues[series].size();
  }

  /** Time of the newest buffered point of a series, epoch ms; {@link Long#MIN_VALUE} if none. */
  public long newestMs(int series) {
    return queues[series] == null ? Long.MIN_VALUE : queues[series].newestMs();
  }

  int width() {
    return queues.length;
  }

  /** Buffered points of a series; null if there are none. */
  PointQueue points(int series) {
    return queues[series];
  }

  void restore(int series, PointQueue points) {
    restored = true;
    set(series, points);
  }
}
