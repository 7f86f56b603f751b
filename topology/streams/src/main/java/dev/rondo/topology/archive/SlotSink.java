package dev.rondo.topology.archive;

/** Receives closed slots, and open ones that are emitted. */
@FunctionalInterface
public interface SlotSink {
  /**
   * Receives a slot of one series.
   *
   * @param archive index of the archive in its policy
   * @param series index of the series in its segment, from 0
   * @param endMs end of the slot, epoch ms
   * @param value never NaN, as unknown slots are not emitted
   */
  void slot(int archive, int series, long endMs, double value);
}
