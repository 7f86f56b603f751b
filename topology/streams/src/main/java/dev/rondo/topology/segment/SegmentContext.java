package dev.rondo.topology.segment;

/**
 * What the segments of a task share.
 *
 * @param maxLingerMs how long a row is buffered at most; half its step if that is shorter
 */
public record SegmentContext(
    long maxLingerMs, TaskClock clock, TaskMemory memory, ArrivalTimes arrivals, SegmentSink sink) {
  public SegmentContext(long maxLingerMs, TaskClock clock, TaskMemory memory, SegmentSink sink) {
    this(maxLingerMs, clock, memory, new ArrivalTimes(), sink);
  }
}
