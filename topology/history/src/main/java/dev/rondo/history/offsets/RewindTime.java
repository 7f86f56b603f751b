package dev.rondo.history.offsets;

import dev.rondo.tools.command.PastTime;
import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.policy.Spans;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Time from which records must be read, by the time of writing, so that slots are complete although
 * a replay discards all state. A point holds backward, up to the previous one, which is at most a
 * heartbeat older. Slots that begin within the reorder window after the first point are not
 * emitted. One more minute covers senders whose clock is fast.
 *
 * <pre>
 *    read from                              time
 *        │                                    │
 *   ─────┼──────┼─────────┼───────────┼───────┼─────────┼────→
 *        │  1m  │ reorder │ heartbeat │ slot with time  │
 * </pre>
 *
 * @param timeMs epoch ms
 * @param why explanation for people
 */
public record RewindTime(long timeMs, String why) {
  private static final long FAST_CLOCK_MS = 60_000;

  /** Completes all slots that end after {@code timeMs}. */
  public static RewindTime completeSlotsAfter(Policies policies, long timeMs) {
    return earliest(policies.inOrder().stream().flatMap(policy -> of(policy, timeMs)));
  }

  /**
   * Completes the slots that may be open after everything written before {@code consolidatedMs} has
   * been consolidated. A slot stays open for a heartbeat beyond its end, and points are buffered
   * for the reorder window.
   *
   * @param waitMs longest time that points are buffered for other source partitions
   */
  public static RewindTime openSlotsAt(Policies policies, long consolidatedMs, long waitMs) {
    long readMs = consolidatedMs - waitMs - FAST_CLOCK_MS;
    return earliest(
        policies.inOrder().stream()
            .flatMap(policy -> of(policy, readMs - policy.reorderMs() - policy.silenceMs())));
  }

  /** The earlier of the two, which satisfies both. */
  public RewindTime and(RewindTime other) {
    return earliest(Stream.of(this, other));
  }

  private static Stream<RewindTime> of(Policy policy, long timeMs) {
    return policy.archives().stream().map(archive -> of(policy, archive, timeMs));
  }

  /**
   * Computes the time for each archive: steps need not divide each other, so the coarsest slot is
   * not always the first to begin.
   */
  private static RewindTime of(Policy policy, Archive archive, long timeMs) {
    long stepMs = archive.shape().stepMs();
    long beginMs = Math.floorDiv(timeMs, stepMs) * stepMs;
    String reorder =
        policy.reorderMs() == 0
            ? ""
            : ", %s of reorder window".formatted(Spans.format(policy.reorderMs()));
    return new RewindTime(
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

  private static RewindTime earliest(Stream<RewindTime> candidates) {
    return candidates.min(Comparator.comparingLong(RewindTime::timeMs)).orElseThrow();
  }
}
