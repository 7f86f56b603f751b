package dev.rondo.topology.consolidate;

import dev.rondo.schemas.SegmentNumber;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.segment.Segment;
import dev.rondo.topology.segment.SegmentCodec;
import dev.rondo.topology.segment.SegmentStore;
import dev.rondo.topology.segment.TaskMemory;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * Which positions of the segments of a task are assigned. A new series gets a free position, or
 * else the next one of the newest segment of its policy:
 *
 * <pre>
 *   segment 0   | a | b | c | d |      c was retired: its position is free, and used again once
 *   segment 1   | e | f |              its last slot ends before the first point of a new series
 *                         └ next
 * </pre>
 */
final class Positions {
  /**
   * @param series index in the segment, from 0
   */
  record Position(Segment segment, int series) {}

  /** The newest segment of a policy, and how many of its positions were ever assigned. */
  private record Filling(Segment segment, int assigned) {
    boolean isFull() {
      return assigned == segment.width();
    }
  }

  /**
   * A free position.
   *
   * @param untilMs end of the last slot of its earlier series, epoch ms
   * @param bytes heap that it counts
   */
  private record Free(Position position, long untilMs, long bytes) {}

  private final int partition;
  private final int width;
  private final SegmentStore segments;
  private final SegmentCodec codec;
  private final TaskMemory memory;

  /** By policy. */
  private final Map<String, Filling> fillings = new HashMap<>();

  /** By policy. */
  private final Map<String, Queue<Free>> free = new HashMap<>();

  /** Number of assigned segment numbers; read by other threads too. */
  private volatile int segmentCount;

  /**
   * @param width positions in a new segment
   */
  Positions(int partition, int width, SegmentStore segments, SegmentCodec codec) {
    this.partition = partition;
    this.width = width;
    this.segments = segments;
    this.codec = codec;
    this.memory = codec.memory();
  }

  /** Number of assigned segment numbers, at most {@link SegmentNumber#MAX_SEGMENTS}. */
  int segmentCount() {
    return segmentCount;
  }

  /** Restores that a segment number is assigned. */
  void restoreNumber(int segment) {
    segmentCount = Math.max(segmentCount, SegmentNumber.index(segment) + 1);
  }

  /** Restores that a position is assigned. */
  void restoreAssigned(Position position) {
    fill(new Filling(position.segment(), position.series() + 1));
  }

  /** Restores which positions of a segment are assigned or free. */
  void restore(Segment segment) {
    restoreNumber(segment.number());
    int assigned = 0;
    for (int series = 0; series < segment.width(); series++) {
      if (segment.wasAssigned(series)) {
        assigned = series + 1;
        if (segment.ident(series) == null) {
          segment.free(series); // its series moved when its policy was removed
          free(new Position(segment, series));
        }
      }
    }
    fill(new Filling(segment, assigned));
  }

  private void fill(Filling filling) {
    fillings.merge(filling.segment().policy().name(), filling, (a, b) -> isFurther(b, a) ? b : a);
  }

  private static boolean isFurther(Filling a, Filling b) {
    int aNumber = a.segment().number();
    int bNumber = b.segment().number();
    return aNumber > bNumber || (aNumber == bNumber && a.assigned() > b.assigned());
  }

  /** Frees a position that its segment has freed. */
  void free(Position position) {
    Policy policy = position.segment().policy();
    long bytes = TaskMemory.positionBytes(policy);
    memory.addFree(bytes);
    free.computeIfAbsent(
            policy.name(), name -> new PriorityQueue<>(Comparator.comparingLong(Free::untilMs)))
        .add(new Free(position, position.segment().usedUntilMs(position.series()), bytes));
  }

  /** Number of free positions of a policy. */
  int freeOf(Policy policy) {
    Queue<Free> ofPolicy = free.get(policy.name());
    return ofPolicy == null ? 0 : ofPolicy.size();
  }

  /** Whether {@link #take} would succeed. */
  boolean hasRoom(Policy policy, long startsAtMs) {
    return segmentCount < SegmentNumber.MAX_SEGMENTS
        || !needsSegment(policy)
        || reuses(policy, startsAtMs);
  }

  private boolean needsSegment(Policy policy) {
    Filling filling = fillings.get(policy.name());
    return filling == null || filling.isFull();
  }

  /**
   * Whether a new series gets a free position: the last slot of its earlier series must end before
   * the first point of the new one, minus the reorder window.
   *
   * @param startsAtMs time of the first point, epoch ms
   */
  boolean reuses(Policy policy, long startsAtMs) {
    Queue<Free> ofPolicy = free.get(policy.name());
    return ofPolicy != null
        && !ofPolicy.isEmpty()
        && ofPolicy.peek().untilMs() <= startsAtMs - policy.reorderMs();
  }

  /** Takes a free or new position. */
  Position take(Policy policy, long startsAtMs) {
    if (!reuses(policy, startsAtMs)) {
      return next(policy);
    }
    Free reused = free.get(policy.name()).remove();
    memory.addFree(-reused.bytes());
    Position position = reused.position();
    position.segment().free(position.series());
    return position;
  }

  private Position next(Policy policy) {
    if (needsSegment(policy)) {
      Segment segment = codec.create(SegmentNumber.of(partition, segmentCount), policy, width);
      restoreNumber(segment.number());
      segments.add(segment);
      fillings.put(policy.name(), new Filling(segment, 0));
    }
    Filling filling = fillings.get(policy.name());
    fillings.put(policy.name(), new Filling(filling.segment(), filling.assigned() + 1));
    return new Position(filling.segment(), filling.assigned());
  }

  /** Forgets a policy that no longer exists. */
  void forget(Policy policy) {
    fillings.remove(policy.name());
    Queue<Free> ofPolicy = free.remove(policy.name());
    if (ofPolicy != null) {
      ofPolicy.forEach(each -> memory.addFree(-each.bytes()));
    }
  }
}
