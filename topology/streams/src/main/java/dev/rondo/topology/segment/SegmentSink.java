package dev.rondo.topology.segment;

import dev.rondo.formats.DropReason;
import dev.rondo.topology.lag.Arrival;

/** Receives the results of the points of a segment. */
public interface SegmentSink {
  /** Receives each point added to its slots. */
  void stored();

  /**
   * Receives the first point of a series added to its slots; {@link #stored} follows.
   *
   * @param tMs time of the point, epoch ms
   */
  void first(Segment segment, int series, long tMs);

  /**
   * Receives a point that was not added, or a slot of it that is not stored.
   *
   * @param tMs time of the point, or end of the slot, epoch ms
   */
  void dropped(Segment segment, int series, DropReason reason, long tMs);

  /** Receives the early release of the oldest point of a series, for lack of memory. */
  void evicted();

  /**
   * Receives a row.
   *
   * @param archive index of the archive in the policy of the segment
   * @param endMs end of the slot, epoch ms
   * @param values values by position, from position 1; NaN = no new value
   * @param arrival arrival of the point that set the first value; null if unknown
   */
  void row(Segment segment, int archive, long endMs, double[] values, Arrival arrival);
}
