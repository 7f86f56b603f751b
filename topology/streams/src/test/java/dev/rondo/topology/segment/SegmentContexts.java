package dev.rondo.topology.segment;

/** Contexts of tasks that ignore emitted slots and have unbounded memory. */
public final class SegmentContexts {
  private SegmentContexts() {}

  /** The wall clock of every context, epoch ms. */
  public static final long WALL_MS = 9_000_000;

  public static SegmentContext of(long maxLingerMs) {
    return SegmentContext.withoutArrivals(
        maxLingerMs, new TaskClock(WALL_MS, 0), TaskMemory.unbounded(), new IgnoringSink());
  }
}
