package dev.rondo.connection.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the known word nearest to a mistyped one, by edit distance. */
public final class Nearest {
  private Nearest() {}

  /** Returns the nearest word of {@code known}, which is not empty. */
  public static String to(String typed, Collection<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(word -> distance(typed, word)))
        .orElseThrow(() -> new IllegalArgumentException("no known word"));
  }

  /** Returns the nearest word if at most a third of the typed one differs; otherwise none helps. */
  public static Optional<String> like(String typed, Collection<String> known) {
    return known.stream()
        .filter(word -> distance(typed, word) <= Math.max(1, typed.length() / 3))
        .min(Comparator.comparingInt(word -> distance(typed, word)));
  }

  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substituted, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
