package dev.rondo.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rondo.chaos.part.Metrics;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Points that were not stored, by reason: as they should be, and as they were counted. */
final class Counts {
  /** What verify calls all points of series that were refused, whichever limit did. */
  private static final String REFUSED = "too-many-series";

  /** Reasons that points are dropped for whatever their series is. */
  private static final Set<String> OF_POINTS =
      Set.of(
          "late",
          "duplicate-time",
          "unreadable",
          "unsupported",
          "text-value",
          "no-value",
          "unknown-id",
          "name-too-long",
          "too-many-tags",
          "not-a-number",
          "too-far-in-the-future",
          "no-policy");

  private Counts() {}

  /** Sums of instances; all reasons that refuse series are one. */
  static Map<String, Long> sum(Collection<Metrics> instances) {
    var sums = new TreeMap<String, Long>();
    for (Metrics metrics : instances) {
      metrics
          .dropped()
          .forEach(
              (reason, count) ->
                  sums.merge(OF_POINTS.contains(reason) ? reason : REFUSED, count, Long::sum));
    }
    return sums;
  }

  /**
   * What {@code ./rondo verify} says must have been dropped, less what was; nothing where alike.
   */
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
}
