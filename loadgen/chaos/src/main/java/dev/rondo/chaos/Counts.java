package dev.rondo.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rondo.chaos.part.Metrics;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Dropped points by reason, expected and counted. */
final class Counts {
  /** Verify's reason for points of refused series, whichever limit refused them. */
  private static final String REFUSED = "too-many-series";

  /** Reasons that refuse a series. */
  private static final Set<String> OF_SERIES =
      Set.of(REFUSED, "too-many-new-series", "too-many-segments", "no-memory");

  /** Reasons of points that were read before. */
  private static final Set<String> OF_REPEATED = Set.of("late", "duplicate-time");

  private Counts() {}

  /** Sums over instances; merges all reasons that refuse series. */
  static Map<String, Long> sum(Collection<Metrics> instances) {
    var sums = new TreeMap<String, Long>();
    for (Metrics metrics : instances) {
      metrics
          .dropped()
          .forEach(
              (reason, count) ->
                  sums.merge(OF_SERIES.contains(reason) ? REFUSED : reason, count, Long::sum));
    }
    return sums;
  }

  /** Drops expected by {@code ./rondo verify} minus those counted; empty if equal. */
  static Map<String, Long> differences(JsonNode expected, Map<String, Long> counted) {
    var differences = new TreeMap<String, Long>();
    counted.forEach((reason, count) -> differences.merge(reason, -count, Long::sum));
    expected
        .properties()
        .forEach(
            dropped -> differences.merge(dropped.getKey(), dropped.getValue().asLong(), Long::sum));
    differences.values().removeIf(difference -> difference == 0);
    return differences;
  }

  /**
   * Whether differences are the points of records that were written twice, and nothing else.
   *
   * @param differences as {@link #differences} returns them
   * @param repeated number of those records
   * @param batch most points of a record
   */
  static boolean areOfRepeated(Map<String, Long> differences, long repeated, int batch) {
    long points = -differences.values().stream().mapToLong(Long::longValue).sum();
    return repeated >= 0
        && OF_REPEATED.containsAll(differences.keySet())
        && points >= repeated
        && points <= repeated * batch;
  }
}
