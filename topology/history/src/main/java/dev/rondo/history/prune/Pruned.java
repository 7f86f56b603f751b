package dev.rondo.history.prune;

import java.util.Locale;

/**
 * What was removed, or would be.
 *
 * @param bytes size of the rows in the table {@code ts}, without its index
 * @param left statements that gave up because another session kept a row locked
 */
public record Pruned(long rows, long bytes, long archives, long periods, long left) {
  static final Pruned NOTHING = new Pruned(0, 0, 0, 0, 0);

  Pruned plus(Pruned more) {
    return new Pruned(
        rows + more.rows,
        bytes + more.bytes,
        archives + more.archives,
        periods + more.periods,
        left + more.left);
  }

  @Override
  public String toString() {
    String removed =
        String.format(
            Locale.ROOT,
            "%s (%.1f MB), %s, %s",
            count(rows, "row"),
            bytes / 1e6,
            count(archives, "archive"),
            count(periods, "location period"));
    return left == 0 ? removed : removed + "; %d were in use: run it again".formatted(left);
  }

  private static String count(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }
}
