package dev.rondo.tools.replay;

import dev.rondo.tools.command.PastTime;
import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.policy.Spans;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * From which time of writing on records must be read, so that slots come out whole although all
 * state is forgotten. A value holds backward: the beginning of a slot is known by the point before
 * it, which is at most a heartbeat older. Nothing is told of slots that begin within the reorder
 * window after the first point. A minute more is for points that were written before their time.
 *
 * <pre>
 *    read from                              time
 *        │                                    │
 *   ─────┼──────┼─────────┼───────────┼───────┼─────────┼────→
 *        │  1m  │ reorder │ heartbeat │ slot with time  │
 * </pre>
 *
 * @param timeMs epoch ms
 * @param why for people
 */
record ReadFrom(long timeMs, String why) {
  private static final long FAST_CLOCK_MS = 60_000;

  /** So that all slots that end after {@code timeMs} come out whole. */
  static ReadFrom wholeSlotsAfter(Policies policies, long timeMs) {
    return earliest(policies.inOrder().stream().flatMap(policy -> of(policy, timeMs)));
  }

  /**
   * So that the slots come out whole that may be open when all that was written before {@code
   * positionMs} has been read. A slot stays open for a heartbeat beyond its end, and points wait
   * for the reorder window.
   *
   * @param waitMs longest that points wait for other source partitions
   */
  static ReadFrom openSlotsAt(Policies policies, long positionMs, long waitMs) {
    long readMs = positionMs - waitMs - FAST_CLOCK_MS;
    return earliest(
        policies.inOrder().stream()
            .flatMap(policy -> of(policy, readMs - policy.reorderMs() - policy.silenceMs())));
  }

  /** The one that satisfies both. */
  ReadFrom and(ReadFrom other) {
    return earliest(Stream.of(this, other));
  }

  private static Stream<ReadFrom> of(Policy policy, long timeMs) {
    return policy.archives().stream().map(archive -> of(policy, archive, timeMs));
  }

  /** Steps need not divide each other: the coarsest slot is not always the first to begin. */
  private static ReadFrom of(Policy policy, Archive archive, long timeMs) {
    long stepMs = archive.shape().stepMs();
    long beginMs = Math.floorDiv(timeMs, stepMs) * stepMs;
    String reorder =
        policy.reorderMs() == 0
            ? ""
            : ", %s of reorder window".formatted(Spans.format(policy.reorderMs()));
    return new ReadFrom(
        beginMs - policy.silenceMs() - policy.reorderMs() - FAST_CLOCK_MS,
        "a slot of %s of policy %s begins at %s, less %s of heartbeat%s and %s for fast clocks"
            .formatted(
                Spans.format(stepMs),
                policy.name(),
                PastTime.show(beginMs),
                Spans.format(policy.silenceMs()),
                reorder,
                Spans.format(FAST_CLOCK_MS)));
  }

  private static ReadFrom earliest(Stream<ReadFrom> candidates) {
    return candidates.min(Comparator.comparingLong(ReadFrom::timeMs)).orElseThrow();
  }
}
