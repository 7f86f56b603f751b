package dev.rondo.topology.archive;

/**
 * Fills the finest slots of {@link OpenSlots} with points. This is the only difference between a
 * policy with a heartbeat and one in Whisper mode.
 */
interface SlotFilling {
  /**
   * Adds a point that is not the first of its series; the newest point before it was at {@code
   * lastMs}.
   */
  Verdict add(int series, long lastMs, long tMs, double value, SlotSink sink);

  /** Adds the first point of a series. */
  void addFirst(int series, double value);

  /** End of the finest slot that holds a point at {@code tMs}, epoch ms. */
  long finestEndMs(long tMs);

  /** A point at or before this time, epoch ms, is late if the newest point is at {@code lastMs}. */
  long lateMs(long lastMs);
}
