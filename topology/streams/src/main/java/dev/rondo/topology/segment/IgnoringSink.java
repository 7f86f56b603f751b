package dev.rondo.topology.segment;

import dev.rondo.formats.DropReason;
import dev.rondo.topology.lag.Arrival;

/** Ignores everything, for callers that only read state or only need rows. */
public class IgnoringSink implements SegmentSink {
  @Override
  public void stored() {}

  @Override
  public void first(Segment segment, int series, long tMs) {}

  @Override
  public void dropped(Segment segment, int series, DropReason reason, long tMs) {}

  @Override
  public void evicted() {}

  @Override
  public void row(Segment segment, int archive, long endMs, double[] values, Arrival arrival) {}
}
