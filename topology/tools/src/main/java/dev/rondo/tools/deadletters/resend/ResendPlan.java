package dev.rondo.tools.deadletters;

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

/** Which letters are sent, in order, and which are not and why. */
final class ResendPlan {
  private static final int EXAMPLES = 3;

  private final List<Candidate> toSend = new ArrayList<>();

  /** Letters whose bytes are sent for another one of the same record. */
  private final Map<DeadLetterOffset, List<DeadLetterOffset>> alike = new HashMap<>();

  private final Map<NotSent, List<RecordId>> notSent = new EnumMap<>(NotSent.class);

  /**
   * @param candidates in any order
   * @param again whether to send too what was sent before or came back too often
   * @param isSuperseded whether a letter is of no use any more
   * @param hasTopic whether there is a topic to send a letter to
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
      } else if (candidate.place().bytes() == 0) {
        why = NotSent.EMPTY;
      } else if (!again && candidate.cameBack() >= NotSent.MOST) {
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
        .filter(candidate -> marks.isSent(candidate.place()))
        .map(Candidate::bytes)
        .collect(Collectors.toSet());
  }

  private void add(Candidate candidate, NotSent why) {
    if (why != null) {
      leaveOut(candidate.source(), why);
      return;
    }
    for (int n = toSend.size() - 1; n >= 0; n--) {
      Candidate other = toSend.get(n);
      if (!other.source().equals(candidate.source())) {
        break;
      }
      if (candidate.bytes().equals(other.bytes())) {
        alike.computeIfAbsent(other.place(), p -> new ArrayList<>()).add(candidate.place());
        leaveOut(candidate.source(), NotSent.OF_SAME_BYTES);
        return;
      }
    }
    toSend.add(candidate);
  }

  /** One more that is not sent. */
  void leaveOut(RecordId source, NotSent why) {
    notSent.computeIfAbsent(why, w -> new ArrayList<>()).add(source);
  }

  /** In the order of sending. */
  List<DeadLetterOffset> places() {
    return toSend.stream().map(Candidate::place).toList();
  }

  /** The letter itself, and those of the same record and bytes. */
  List<DeadLetterOffset> sentWith(DeadLetterOffset place) {
    List<DeadLetterOffset> all = new ArrayList<>(alike.getOrDefault(place, List.of()));
    all.add(place);
    return all;
  }

  int letters() {
    return toSend.size();
  }

  /** How many letters of each reason and topic are sent. */
  List<String> sentLines() {
    Map<String, Integer> counts = new TreeMap<>();
    for (Candidate candidate : toSend) {
      counts.merge(
          "%-22s %s".formatted(candidate.reason(), candidate.source().topic()), 1, Integer::sum);
    }
    List<String> lines = new ArrayList<>();
    if (!counts.isEmpty()) {
      lines.add("%9s  %-22s %s".formatted("letters", "reason", "topic"));
      counts.forEach((what, count) -> lines.add("%9d  %s".formatted(count, what)));
    }
    return lines;
  }

  /** Which letters are not sent, and why. */
  List<String> notSentLines() {
    List<String> lines = new ArrayList<>();
    notSent.forEach(
        (why, places) -> {
          lines.add("Not sent: %d, %s".formatted(places.size(), why.text()));
          for (RecordId place : places.subList(0, Math.min(EXAMPLES, places.size()))) {
            lines.add(
                "  %s-%d offset %d".formatted(place.topic(), place.partition(), place.offset()));
          }
          if (places.size() > EXAMPLES) {
            lines.add("  ...");
          }
        });
    return lines;
  }
}
