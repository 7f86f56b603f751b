package dev.rondo.tools.deadletters.resend;

import dev.rondo.tools.deadletters.read.DeadLetterLocation;
import dev.rondo.tools.deadletters.read.SentMarks;
import dev.rondo.topology.drops.RecordId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Which dead letters are resent, in which order, and which are not, with the reason. */
final class ResendPlan {
  private static final int EXAMPLES = 3;

  private final List<Candidate> toSend = new ArrayList<>();

  /** Dead letters whose bytes another one of the same record sends. */
  private final Map<DeadLetterLocation, List<DeadLetterLocation>> sameBytes = new HashMap<>();

  private final Map<NotSent, List<RecordId>> notSent = new EnumMap<>(NotSent.class);

  /**
   * @param candidates in any order
   * @param again whether to include what was sent before or came back too often
   * @param isSuperseded whether a newer record replaces a dead letter
   * @param hasTopic whether the target topic of a dead letter exists
   */
  static ResendPlan of(
      Collection<Candidate> candidates,
      SentMarks marks,
      boolean again,
      Predicate<Candidate> isSuperseded,
      Predicate<Candidate> hasTopic) {
    ResendPlan plan = new ResendPlan();
    List<Candidate> ordered = new ArrayList<>(candidates);
    ordered.sort(Candidate.ORDER);
    Set<Candidate.Bytes> sent = again ? Set.of() : sent(ordered, marks);
    for (Candidate candidate : ordered) {
      NotSent why = null;
      if (!sent.isEmpty() && sent.contains(candidate.bytes())) {
        why = NotSent.SENT_BEFORE;
      } else if (candidate.isCut()) {
        why = NotSent.CUT;
      } else if (candidate.location().bytes() == 0) {
        why = NotSent.EMPTY;
      } else if (!again && candidate.cameBack() >= NotSent.MAX_SENDS) {
        why = NotSent.CAME_BACK;
      } else if (isSuperseded.test(candidate)) {
        why = NotSent.SUPERSEDED;
      } else if (!hasTopic.test(candidate)) {
        why = NotSent.NO_TOPIC;
      }
      plan.add(candidate, why);
    }
    return plan;
  }

  private static Set<Candidate.Bytes> sent(List<Candidate> candidates, SentMarks marks) {
    return candidates.stream()
        .filter(candidate -> marks.isSent(candidate.location()))
        .map(Candidate::bytes)
        .collect(Collectors.toSet());
  }

  private void add(Candidate candidate, NotSent why) {
    if (why != null) {
      skip(candidate.source(), why);
      return;
    }
    for (int n = toSend.size() - 1; n >= 0; n--) {
      Candidate other = toSend.get(n);
      if (!other.source().equals(candidate.source())) {
        break;
      }
      if (candidate.bytes().equals(other.bytes())) {
        sameBytes
            .computeIfAbsent(other.location(), p -> new ArrayList<>())
            .add(candidate.location());
        skip(candidate.source(), NotSent.SAME_BYTES);
        return;
      }
    }
    toSend.add(candidate);
  }

  /** Adds one that is not sent. */
  void skip(RecordId source, NotSent why) {
    notSent.computeIfAbsent(why, w -> new ArrayList<>()).add(source);
  }

  /** Locations in the order of sending. */
  List<DeadLetterLocation> locations() {
    return toSend.stream().map(Candidate::location).toList();
  }

  /** The dead letter itself and those with the same record and bytes. */
  List<DeadLetterLocation> sentWith(DeadLetterLocation location) {
    List<DeadLetterLocation> all = new ArrayList<>(sameBytes.getOrDefault(location, List.of()));
    all.add(location);
    return all;
  }

  int size() {
    return toSend.size();
  }

  /** Counts of the dead letters that are sent, by reason and topic. */
  List<String> sentLines() {
    Map<String, Integer> counts = new TreeMap<>();
    for (Candidate candidate : toSend) {
      counts.merge(
          "%-22s %s".formatted(candidate.reason(), candidate.source().topic()), 1, Integer::sum);
    }
    List<String> lines = new ArrayList<>();
    if (!counts.isEmpty()) {
      lines.add("%9s  %-22s %s".formatted("records", "reason", "topic"));
      counts.forEach((what, count) -> lines.add("%9d  %s".formatted(count, what)));
    }
    return lines;
  }

  /** Which dead letters are not sent, and why. */
  List<String> notSentLines() {
    List<String> lines = new ArrayList<>();
    notSent.forEach(
        (why, locations) -> {
          lines.add("Not sent: %d, %s".formatted(locations.size(), why.text()));
          for (RecordId location : locations.subList(0, Math.min(EXAMPLES, locations.size()))) {
            lines.add(
                "  %s-%d offset %d"
                    .formatted(location.topic(), location.partition(), location.offset()));
          }
          if (locations.size() > EXAMPLES) {
            lines.add("  ...");
          }
        });
    return lines;
  }
}
