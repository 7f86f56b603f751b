package dev.rondo.connect.postgres.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Misspelt keys. Connect hands its own keys and ours over together, so a key counts as meant for us
 * when it begins like one of ours ({@code connection.…}) or is within two letters of one.
 */
final class UnknownKeys {
  private static final int FEW_LETTERS = 2;

  private UnknownKeys() {}

  /**
   * Those of {@code given} that are not in {@code known} and whose nearest known one is {@code
   * key}.
   */
  static List<String> meant(String key, Collection<String> given, Set<String> known) {
    return given.stream()
        .filter(unknown -> !known.contains(unknown) && isOurs(unknown, known))
        .filter(unknown -> nearest(unknown, known).equals(key))
        .sorted()
        .toList();
  }

  private static boolean isOurs(String unknown, Set<String> known) {
    return known.stream()
        .anyMatch(
            key ->
                unknown.startsWith(key.substring(0, key.indexOf('.') + 1))
                    || distance(unknown, key) <= FEW_LETTERS);
  }

  private static String nearest(String unknown, Set<String> known) {
    return known.stream()
        .min(
            Comparator.<String>comparingInt(key -> distance(unknown, key))
                .thenComparing(Comparator.naturalOrder()))
        .orElseThrow();
  }

  /** Levenshtein: letters to add, drop or change. */
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
