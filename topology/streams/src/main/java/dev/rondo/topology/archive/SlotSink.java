package dev.rondo.topology.archive;

/** Takes slots as they close, or are shown while open. */
@FunctionalInterface
public interface SlotSink {
  /**
   * A slot of one series.
   *
   * @param archive index of the archive in its policy
   * @param series index of the series in its segment, from 0
   * @param endMs end of the slot, epoch ms
   * @param value never NaN: an unknown slot is not told
   */
  void slot(int archive, int series, long endMs, double value);
}
