package dev.rondo.topology.segment;

import dev.rondo.formats.DropReason;
import dev.rondo.topology.lag.Arrival;

/** Receives what becomes of the points of a segment. */
public interface SegmentSink {
  /** A point was added to its slots. */
  void stored();

  /**
   * A point was added to its slots as the first of its series; {@link #stored} follows.
   *
   * @param tMs time of the point, epoch ms
   */
  void first(Segment segment, int series, long tMs);

  /**
   * A point was not added, or a slot of it is not stored.
   *
   * @param tMs time of the point, or end of the slot, epoch ms
   */
  void dropped(Segment segment, int series, DropReason reason, long tMs);

  /** The oldest point of a series was released early: its window or the memory is full. */
  void evicted();

  /**
   * A row was sent.
   *
   * @param archive index of the archive in the policy of the segment
   * @param endMs end of the slot, epoch ms
   * @param values by position, from position 1; NaN = no new value
   * @param arrival of the point that set the first of them; null if it is not known
   */
  void row(Segment segment, int archive, long endMs, double[] values, Arrival arrival);
}
