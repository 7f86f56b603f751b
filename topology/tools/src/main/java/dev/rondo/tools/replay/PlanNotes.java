package dev.rondo.tools.replay;

import dev.rondo.tools.command.PastTime;
import dev.rondo.tools.replay.ReplayPlan.Reason;
import dev.rondo.tools.replay.ReplayPlan.Rewind;
import dev.rondo.topology.policy.Policies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/** Says in sentences what was chosen and why, and what cannot be made whole. */
final class PlanNotes {
  private final Policies policies;
  private final RecordTimes times;

  PlanNotes(Policies policies, RecordTimes times) {
    this.policies = policies;
    this.times = times;
  }

  /**
   * @param asked from when on the topics that were asked for are read, where that is by time
   * @param open from when on the others are
   */
  List<String> of(ReplayRequest request, List<Rewind> rewinds, ReadFrom asked, ReadFrom open) {
    List<String> notes = new ArrayList<>();
    if (request.isFrom()) {
      notes.add(
          "Slots that end after %s are to come out whole, so %s is read from %s on: %s."
              .formatted(
                  PastTime.show(request.fromMs().getAsLong()),
                  String.join(", ", request.topics()),
                  PastTime.show(asked.timeMs()),
                  asked.why()));
    }
    if (has(rewinds, Reason.WITH_GIVEN)) {
      notes.add(
          "The partitions without a given offset are read from %s on: %s."
              .formatted(PastTime.show(asked.timeMs()), asked.why()));
    }
    if (has(rewinds, Reason.OPEN_SLOTS)) {
      notes.add(
          "Open slots are forgotten, so the other topics are read from %s on: %s. A series that is"
                  .formatted(PastTime.show(open.timeMs()), open.why())
              + " sent to several topics needs them all by --topic.");
    }
    if (has(rewinds, Reason.GIVEN_LATE)) {
      notes.add(
          "Partitions read from later than the others: a series that is spread over them comes out of"
              + " a part of its points, and slots that are open now keep what they show.");
    }
    addIncomplete(notes, request, rewinds, asked, open);
    return notes;
  }

  private static boolean has(List<Rewind> rewinds, Reason reason) {
    return rewinds.stream().anyMatch(rewind -> rewind.reason() == reason);
  }

  private void addIncomplete(
      List<String> notes,
      ReplayRequest request,
      List<Rewind> rewinds,
      ReadFrom asked,
      ReadFrom open) {
    Map<TopicPartition, Long> cut = new HashMap<>();
    Map<TopicPartition, Long> wantedMs = new HashMap<>();
    for (Rewind rewind : rewinds) {
      boolean isGiven = rewind.reason() == Reason.GIVEN || rewind.reason() == Reason.GIVEN_LATE;
      boolean reachesBack = rewind.after() > rewind.position().beginning();
      if (rewind.after() > 0 && (isGiven || !reachesBack)) {
        cut.put(rewind.partition(), rewind.after());
        wantedMs.put(rewind.partition(), wantedMs(rewind.reason(), asked, open));
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
                "What is read of %s begins at %s: earlier slots, and the incomplete ones of then, keep"
                        .formatted(topic, PastTime.show(beginMs))
                    + " what they show (%s).".formatted(slots));
          }
        });
  }

  private static long wantedMs(Reason reason, ReadFrom asked, ReadFrom open) {
    return switch (reason) {
      case TIME, WITH_GIVEN -> asked.timeMs();
      case OPEN_SLOTS -> open.timeMs();
      case EARLIEST, GIVEN, GIVEN_LATE -> Long.MIN_VALUE;
    };
  }
}
