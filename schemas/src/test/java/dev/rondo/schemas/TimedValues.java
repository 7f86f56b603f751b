package dev.rondo.schemas;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The {@code time:value time:value …} cells of consolidation.csv, whisper.csv and increments.csv.
 */
final class TimedValues {
  private TimedValues() {}

  /**
   * Returns values by time, ms, in the order written; empty for an empty cell. Times are distinct.
   */
  static Map<Long, Double> parse(String cell) {
    var values = new LinkedHashMap<Long, Double>();
    for (String pair : cell.isEmpty() ? new String[0] : cell.split(" ", -1)) {
      String[] parts = pair.split(":", -1);
      if (values.put(Long.valueOf(parts[0]), Double.valueOf(parts[1])) != null) {
        throw new IllegalArgumentException("time " + parts[0] + " stands twice: " + cell);
      }
    }
    return values;
  }
}
