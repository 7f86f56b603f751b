package dev.rondo.topology.segment;

import dev.rondo.topology.lag.Arrival;
import java.util.function.Supplier;

/**
 * What the segments of a task share.
 *
 * @param maxLingerMs longest time to buffer a row; half its step if that is shorter
 * @param arrival arrival of the point that is being added; null if unknown
 */
public record SegmentContext(
    long maxLingerMs,
    TaskClock clock,
    SilenceClocks silence,
    TaskMemory memory,
    Supplier<Arrival> arrival,
    SegmentSink sink) {
  /** Creates the context of segments whose points have no arrival. */
  public static SegmentContext withoutArrivals(
      long maxLingerMs, TaskClock clock, TaskMemory memory, SegmentSink sink) {
    return new SegmentContext(maxLingerMs, clock, new SilenceClocks(), memory, () -> null, sink);
  }
}
