package dev.rondo.topology.segment;

import dev.rondo.topology.lag.Arrival;
import java.util.function.Supplier;

/**
 * What the segments of a task share.
 *
 * @param maxLingerMs how long a row is buffered at most; half its step if that is shorter
 * @param arrival of the point that is being added; null if it is not known
 */
public record SegmentContext(
    long maxLingerMs,
    TaskClock clock,
    SilenceClocks silence,
    TaskMemory memory,
    Supplier<Arrival> arrival,
    SegmentSink sink) {
  /** For segments whose points have no arrival. */
  public static SegmentContext withoutArrivals(
      long maxLingerMs, TaskClock clock, TaskMemory memory, SegmentSink sink) {
    return new SegmentContext(maxLingerMs, clock, new SilenceClocks(), memory, () -> null, sink);
  }
}
