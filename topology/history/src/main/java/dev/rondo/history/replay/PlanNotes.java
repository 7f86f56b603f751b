package dev.rondo.history.replay;

import dev.rondo.history.offsets.IncompleteSlots;
import dev.rondo.history.offsets.RecordTimes;
import dev.rondo.history.offsets.RewindTime;
import dev.rondo.history.replay.ReplayPlan.Reason;
import dev.rondo.history.replay.ReplayPlan.Rewind;
import dev.rondo.tools.command.PastTime;
import dev.rondo.topology.policy.Policies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/** Explains the plan in sentences: what was chosen and why, and what stays incomplete. */
final class PlanNotes {
  private final Policies policies;
  private final RecordTimes times;

  PlanNotes(Policies policies, RecordTimes times) {
    this.policies = policies;
    this.times = times;
  }

  /**
   * @param requested time from which the requested topics are read, if they are rewound by time
   * @param open time from which the other topics are read
   */
  List<String> of(
      ReplayRequest request, List<Rewind> rewinds, RewindTime requested, RewindTime open) {
    List<String> notes = new ArrayList<>();
    if (request.isFrom()) {
      notes.add(
          "To complete the slots that end after %s, %s is read from %s on: %s."
              .formatted(
                  PastTime.show(request.fromMs().getAsLong()),
                  String.join(", ", request.topics()),
                  PastTime.show(requested.timeMs()),
                  requested.why()));
    }
    if (has(rewinds, Reason.WITH_GIVEN)) {
      notes.add(
          "The partitions without a given offset are read from %s on: %s."
              .formatted(PastTime.show(requested.timeMs()), requested.why()));
    }
    if (has(rewinds, Reason.OPEN_SLOTS)) {
      notes.add(
          "A replay discards open slots, so the other topics are read from %s on: %s. If a series is"
                  .formatted(PastTime.show(open.timeMs()), open.why())
              + " sent to several topics, name them all with --topic.");
    }
    if (has(rewinds, Reason.GIVEN_LATE)) {
      notes.add(
          "Some partitions are read from a later time than others: a series that is spread over them is"
              + " computed from a part of its points, and slots that are open now keep their values.");
    }
    addIncomplete(notes, request, rewinds, requested, open);
    return notes;
  }

  private static boolean has(List<Rewind> rewinds, Reason reason) {
    return rewinds.stream().anyMatch(rewind -> rewind.reason() == reason);
  }

  private void addIncomplete(
      List<String> notes,
      ReplayRequest request,
      List<Rewind> rewinds,
      RewindTime requested,
      RewindTime open) {
    Map<TopicPartition, Long> cut = new HashMap<>();
    Map<TopicPartition, Long> wantedMs = new HashMap<>();
    for (Rewind rewind : rewinds) {
      boolean isGiven = rewind.reason() == Reason.GIVEN || rewind.reason() == Reason.GIVEN_LATE;
      boolean reachesBack = rewind.after() > rewind.source().beginning();
      if (rewind.after() > 0 && (isGiven || !reachesBack)) {
        cut.put(rewind.partition(), rewind.after());
        wantedMs.put(rewind.partition(), wantedMs(rewind.reason(), requested, open));
      }
    }
    Map<String, Long> beginsMs =
        times.at(cut).entrySet().stream()
            .filter(entry -> entry.getValue() > wantedMs.get(entry.getKey()))
            .collect(
                Collectors.toMap(entry -> entry.getKey().topic(), Map.Entry::getValue, Math::max));
    beginsMs.forEach(
        (topic, beginMs) -> {
          long afterMs = request.fromMs().orElse(0);
          String slots = IncompleteSlots.describe(policies, beginMs, afterMs);
          if (!slots.isEmpty()) {
            notes.add(
                "The records read from %s begin at %s: earlier slots, and slots incomplete at that time,"
                        .formatted(topic, PastTime.show(beginMs))
                    + " keep their values (%s).".formatted(slots));
          }
        });
  }

  private static long wantedMs(Reason reason, RewindTime requested, RewindTime open) {
    return switch (reason) {
      case TIME, WITH_GIVEN -> requested.timeMs();
      case OPEN_SLOTS -> open.timeMs();
      case EARLIEST, GIVEN, GIVEN_LATE -> Long.MIN_VALUE;
    };
  }
}
