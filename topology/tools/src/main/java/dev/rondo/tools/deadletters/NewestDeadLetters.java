package dev.rondo.tools.deadletters;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** Finds the newest letters by reading each partition backwards, no further than it must. */
final class NewestDeadLetters {
  private static final int LEAST_STEP = 50;
  private static final int GROWTH = 4;
  private static final Comparator<Found> OLDEST_FIRST =
      Comparator.comparingLong(Found::timeMs)
          .thenComparing(found -> found.place().partition())
          .thenComparing(found -> found.place().offset());

  private final DeadLetterReader reader;
  private final DeadLetterFilter filter;
  private final int limit;
  private final SentMarks marks;
  private final PriorityQueue<Found> newest = new PriorityQueue<>(OLDEST_FIRST);

  /** A letter that is to be told. */
  private record Found(DeadLetterOffset place, long timeMs) {}

  /**
   * @param limit how many at the most, 1 or more
   * @param marks is told of those that it comes by: all that are later than a letter found
   */
  NewestDeadLetters(DeadLetterReader reader, DeadLetterFilter filter, int limit, SentMarks marks) {
    this.reader = reader;
    this.filter = filter;
    this.limit = limit;
    this.marks = marks;
  }

  /** The newest last. */
  List<DeadLetterOffset> find() {
    Map<Integer, Long> begins = reader.begins(filter);
    Map<Integer, Long> to = new HashMap<>(reader.ends());
    long step = Math.max(LEAST_STEP, limit);
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
    return found.stream().map(Found::place).toList();
  }

  /** Time of the first record by partition; without an entry where there is none. */
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

  private void add(DeadLetter letter) {
    newest.add(new Found(letter.place(), letter.timeMs()));
    if (newest.size() > limit) {
      newest.remove();
    }
  }

  /** Whether all that a partition has before this time is older than the letters found. */
  private boolean isPast(Long earliestMs) {
    return earliestMs != null && newest.size() == limit && earliestMs < newest.element().timeMs();
  }
}
