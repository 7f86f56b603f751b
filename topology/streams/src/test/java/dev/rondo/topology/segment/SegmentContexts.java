package dev.rondo.topology.segment;

/** Contexts of tasks that ignore what their segments emit, and have memory without a bound. */
public final class SegmentContexts {
  private SegmentContexts() {}

  /** The wall clock of every context, epoch ms. */
  public static final long WALL_MS = 9_000_000;

  public static SegmentContext of(long maxLingerMs) {
    return SegmentContext.withoutArrivals(
        maxLingerMs, new TaskClock(WALL_MS, 0), TaskMemory.unbounded(), new IgnoringSink());
  }
}
