package dev.rondo.history.offsets;

import dev.rondo.tools.command.PastTime;
import dev.rondo.topology.archive.ArchiveShape;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.policy.Spans;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Describes the slots that a replay cannot complete, because a topic no longer holds all of their
 * records.
 */
public final class IncompleteSlots {
  private IncompleteSlots() {}

  /**
   * One entry per policy and step, such as {@code policy default: 10s to 14:02:10Z, 1m to
   * 14:03:00Z}; empty if all slots that end after {@code afterMs} are complete.
   *
   * @param earliestMs time at which the earliest record that is read again was written
   */
  public static String describe(Policies policies, long earliestMs, long afterMs) {
    return policies.inOrder().stream()
        .map(
            policy ->
                describe(policy, earliestMs + policy.silenceMs() + policy.reorderMs(), afterMs))
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining("; "));
  }

  private static String describe(Policy policy, long knownMs, long afterMs) {
    Map<Long, String> byStep = new TreeMap<>();
    policy.archives().stream()
        .map(archive -> archive.shape().stepMs())
        .filter(stepMs -> Math.floorDiv(afterMs, stepMs) * stepMs < knownMs)
        .forEach(stepMs -> byStep.put(stepMs, lastIncomplete(stepMs, knownMs)));
    return byStep.isEmpty()
        ? ""
        : "policy %s: %s".formatted(policy.name(), String.join(", ", byStep.values()));
  }

  private static String lastIncomplete(long stepMs, long knownMs) {
    long endMs = new ArchiveShape(stepMs, 1).endOf(knownMs);
    return Spans.format(stepMs) + " to " + PastTime.show(endMs);
  }
}
