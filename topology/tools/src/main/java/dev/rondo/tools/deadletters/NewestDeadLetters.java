package dev.rondo.tools.deadletters;

import dev.rondo.tools.deadletters.read.DeadLetter;
import dev.rondo.tools.deadletters.read.DeadLetterFilter;
import dev.rondo.tools.deadletters.read.DeadLetterLocation;
import dev.rondo.tools.deadletters.read.DeadLetterReader;
import dev.rondo.tools.deadletters.read.SentMarks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Finds the newest dead letters by reading each partition backwards, in growing steps, until no
 * older record can be among them.
 */
final class NewestDeadLetters {
  private static final int FIRST_STEP = 50;
  private static final int GROWTH = 4;
  private static final Comparator<Found> OLDEST_FIRST =
      Comparator.comparingLong(Found::timeMs)
          .thenComparing(found -> found.location().partition())
          .thenComparing(found -> found.location().offset());

  private final DeadLetterReader reader;
  private final DeadLetterFilter filter;
  private final int limit;
  private final SentMarks marks;
  private final PriorityQueue<Found> newest = new PriorityQueue<>(OLDEST_FIRST);

  /** A dead letter among the newest. */
  private record Found(DeadLetterLocation location, long timeMs) {}

  /**
   * @param limit maximum number, 1 or more
   * @param marks receives every record read, so all that are later than a dead letter found
   */
  NewestDeadLetters(DeadLetterReader reader, DeadLetterFilter filter, int limit, SentMarks marks) {
    this.reader = reader;
    this.filter = filter;
    this.limit = limit;
    this.marks = marks;
  }

  /** Locations of the newest dead letters, the newest last. */
  List<DeadLetterLocation> find() {
    Map<Integer, Long> begins = reader.begins(filter);
    Map<Integer, Long> to = new HashMap<>(reader.ends());
    long step = Math.max(FIRST_STEP, limit);
    while (!to.isEmpty()) {
      Map<Integer, Long> from = new HashMap<>();
      for (Map.Entry<Integer, Long> end : to.entrySet()) {
        from.put(end.getKey(), Math.max(begins.get(end.getKey()), end.getValue() - step));
      }
      Map<Integer, Long> earliestMs = read(from, to);
      to = from;
      to.entrySet().removeIf(at -> at.getValue() <= begins.get(at.getKey()));
      to.keySet().removeIf(partition -> isPast(earliestMs.get(partition)));
      step *= GROWTH;
    }
    List<Found> found = new ArrayList<>(newest);
    found.sort(OLDEST_FIRST);
    return found.stream().map(Found::location).toList();
  }

  /**
   * Reads the records; returns the time of the first one by partition, without an entry for a
   * partition without records.
   */
  private Map<Integer, Long> read(Map<Integer, Long> from, Map<Integer, Long> to) {
    Map<Integer, Long> earliestMs = new HashMap<>();
    reader.read(
        from,
        to,
        record -> {
          earliestMs.putIfAbsent(record.partition(), record.timestamp());
          marks.read(record);
          DeadLetter.of(record).filter(filter::matches).ifPresent(this::add);
        });
    return earliestMs;
  }

  private void add(DeadLetter deadLetter) {
    newest.add(new Found(deadLetter.location(), deadLetter.timeMs()));
    if (newest.size() > limit) {
      newest.remove();
    }
  }

  /** Whether every record of a partition before this time is older than the dead letters found. */
  private boolean isPast(Long earliestMs) {
    return earliestMs != null && newest.size() == limit && earliestMs < newest.element().timeMs();
  }
}
