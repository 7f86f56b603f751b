package dev.rondo.connect.postgres.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Finds misspelled keys. Connect passes its own keys together with the sink's, so a key counts as
 * the sink's if it begins like one ({@code connection.…}) or its edit distance to one is at most
 * two. The edit distance is written out here: neither Kafka nor the driver has one, and 15 lines
 * are less than another jar in the plugin.
 */
final class UnknownKeys {
  private static final int MAX_DISTANCE = 2;

  private UnknownKeys() {}

  /**
   * Returns the keys of {@code given} that are not in {@code known} and whose nearest known key is
   * {@code key}.
   */
  static List<String> misspelled(String key, Collection<String> given, Set<String> known) {
    return given.stream()
        .filter(unknown -> !known.contains(unknown) && isForSink(unknown, known))
        .filter(unknown -> nearest(unknown, known).equals(key))
        .sorted()
        .toList();
  }

  private static boolean isForSink(String unknown, Set<String> known) {
    return known.stream()
        .anyMatch(
            key ->
                unknown.startsWith(key.substring(0, key.indexOf('.') + 1))
                    || distance(unknown, key) <= MAX_DISTANCE);
  }

  private static String nearest(String unknown, Set<String> known) {
    return known.stream()
        .min(
            Comparator.<String>comparingInt(key -> distance(unknown, key))
                .thenComparing(Comparator.naturalOrder()))
        .orElseThrow();
  }

  /** Levenshtein distance: characters to insert, delete or substitute. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
