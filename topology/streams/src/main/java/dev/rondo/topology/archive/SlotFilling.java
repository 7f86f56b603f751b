package dev.rondo.topology.archive;

/**
 * Fills the finest slots of {@link OpenSlots} with points. This is the only difference between a
 * policy with a heartbeat and one in Whisper mode.
 */
interface SlotFilling {
  /**
   * Adds a point that is not the first of its series. The newest point so far is at {@code lastMs}.
   */
  Verdict add(int series, long lastMs, long tMs, double value, SlotSink sink);

  void addFirst(int series, double value);

  /** End of the finest slot that holds a point at {@code tMs}, epoch ms. */
  long finestEndMs(long tMs);

  /**
   * Time at or before which a point is late, epoch ms, if the newest point is at {@code lastMs}.
   */
  long lateMs(long lastMs);
}
