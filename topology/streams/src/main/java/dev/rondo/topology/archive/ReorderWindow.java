package dev.rondo.topology.archive;

/**
 * Points of the series of one segment that wait for earlier ones: each goes on, in the order of
 * times, once its series has a point that is newer by the window. Not safe to share between
 * threads.
 *
 * <pre>
 *   window 10 s, arriving 5 3 12 14 16:   at 14 goes on 3, at 16 goes on 5; 12 14 16 wait
 * </pre>
 */
public final class ReorderWindow {
  /** Most bytes that a segment's waiting points take when written. */
  static final int MAX_BYTES = 1 << 20;

  /** Takes the points that go on. */
  @FunctionalInterface
  public interface Target {
    /**
     * A point whose turn it is; of one series they come in the order of times.
     *
     * @param series index of the series in its segment, from 0
     * @param tMs epoch ms
     */
    void point(int series, long tMs, double value);
  }

  private final long windowMs;
  private final boolean isWhisper;
  private final int capacity;
  private final PointQueue[] waiting;
  private long heapBytes;
  private boolean restored; // its policy may have had a window before

  /**
   * A window for {@code width} series.
   *
   * @param windowMs how long points wait, by the time of their series' points; 0 = not at all
   * @param isWhisper whether points of equal time all wait, as the last one to arrive wins; else
   *     the later ones are duplicates
   */
  public ReorderWindow(long windowMs, boolean isWhisper, int width) {
    this.windowMs = windowMs;
    this.isWhisper = isWhisper;
    this.capacity =
        Math.max(
            1,
            (MAX_BYTES / width - ReorderWindowCodec.SERIES_BYTES) / ReorderWindowCodec.POINT_BYTES);
    this.waiting = new PointQueue[width];
  }

  /**
   * Takes a point; those whose turn it is then go to {@code target}, it may be one of them.
   *
   * @param tMs epoch ms
   * @param lateMs {@link OpenSlots#lateMs}: a point at or before it is late
   * @return {@link Verdict#WAITING}, {@link Verdict#EVICTED}, {@link Verdict#DUPLICATE} or {@link
   *     Verdict#LATE}; without a window always the first, and the target judges
   */
  public Verdict add(int series, long tMs, double value, long lateMs, Target target) {
    PointQueue points = waiting[series];
    if (points == null) {
      if (windowMs == 0) {
        target.point(series, tMs, value);
        return Verdict.WAITING;
      }
      points = new PointQueue();
    }
    if (tMs <= lateMs) {
      return Verdict.LATE;
    }
    int place = points.placeOf(tMs);
    if (!isWhisper && points.has(place - 1, tMs)) {
      return Verdict.DUPLICATE;
    }
    set(series, null);
    points.insert(place, tMs, value);
    set(series, points);
    release(series, points.newestMs() - windowMs, target);
    if (points.size() > capacity) {
      points.sendFirst(series, target);
      return Verdict.EVICTED;
    }
    return Verdict.WAITING;
  }

  private void set(int series, PointQueue points) {
    heapBytes += heapBytes(points) - heapBytes(waiting[series]);
    waiting[series] = points;
  }

  private static long heapBytes(PointQueue points) {
    return points == null ? 0 : points.heapBytes();
  }

  /** What waits, as it is and as written, in bytes of heap. */
  public long heapBytes() {
    return heapBytes;
  }

  /** Hands on the oldest that waits of a series: there is no memory for all of them. */
  public void sendOldest(int series, Target target) {
    PointQueue points = waiting[series];
    if (points != null) {
      set(series, null);
      points.sendFirst(series, target);
      points.trim();
      set(series, points.size() == 0 ? null : points);
    }
  }

  /** Hands on what waits with a time up to {@code untilMs}: its series has fallen silent. */
  public void releaseSilent(int series, long untilMs, Target target) {
    if (waiting[series] != null) {
      release(series, untilMs, target);
    }
  }

  private void release(int series, long untilMs, Target target) {
    PointQueue points = waiting[series];
    while (points.size() > 0 && points.oldestMs() <= untilMs) {
      points.sendFirst(series, target);
    }
    if (points.size() == 0) {
      set(series, null);
    }
  }

  /** Forgets what waits of a series. */
  public void forget(int series) {
    set(series, null);
  }

  /**
   * Makes a series ready for a replay: forgets what waits of it and rewinds its {@code slots} by
   * this window, also when all its points have only waited so far.
   */
  public void rewind(int series, OpenSlots slots) {
    if (waiting[series] != null || slots.hasHadPoint(series)) {
      slots.awaitReplay(series, windowMs);
    }
    forget(series);
  }

  /** Whether points can wait at all. */
  public boolean mayHold() {
    return windowMs > 0 || restored;
  }

  /** Points of a series that wait. */
  public int waiting(int series) {
    return waiting[series] == null ? 0 : waiting[series].size();
  }

  /** Time of the newest point of a series that waits, epoch ms; {@link Long#MIN_VALUE}: none. */
  public long newestMs(int series) {
    return waiting[series] == null ? Long.MIN_VALUE : waiting[series].newestMs();
  }

  int width() {
    return waiting.length;
  }

  /** What waits of a series; null where nothing does. */
  PointQueue points(int series) {
    return waiting[series];
  }

  void restore(int series, PointQueue points) {
    restored = true;
    set(series, points);
  }
}
