package dev.rondo.topology.segment;

import dev.rondo.formats.DropReason;

/** Contexts of tasks that ignore what their segments emit, and have memory without a bound. */
public final class SegmentContexts {
  private SegmentContexts() {}

  /** The wall clock of every context, epoch ms. */
  public static final long WALL_MS = 9_000_000;

  public static SegmentContext of(long maxLingerMs) {
    return new SegmentContext(
        maxLingerMs, new TaskClock(WALL_MS), TaskMemory.unbounded(), new Ignoring());
  }

  private static final class Ignoring implements SegmentSink {
    @Override
    public void stored() {}

    @Override
    public void first(Segment segment, int series, long tMs) {}

    @Override
    public void dropped(Segment segment, int series, DropReason reason, long tMs) {}

    @Override
    public void evicted() {}

    @Override
    public void row(Segment segment, int archive, long endMs, double[] values) {}
  }
}
