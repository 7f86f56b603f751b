package dev.rondo.topology.archive;

/**
 * How points fill the finest slots of {@link OpenSlots}: the one thing in which a policy with a
 * heartbeat and one in Whisper mode differ.
 */
interface SlotFilling {
  /**
   * Takes a point that is not the first of its series; the newest before it was at {@code lastMs}.
   */
  Verdict add(int series, long lastMs, long tMs, double value, SlotSink sink);

  /** Takes the first point of a series. */
  void addFirst(int series, double value);

  /** End of the finest slot that a point at {@code tMs} lies in, epoch ms. */
  long finestEndMs(long tMs);

  /** A point at or before this time is late after one at {@code lastMs}, epoch ms. */
  long lateMs(long lastMs);
}
