package dev.rondo.rows;

import java.util.Comparator;

/** Identity of a bundle: one archive of one policy. Tasks lock bundles in its natural order. */
public record Bundle(String policy, String cf, long stepMs, int size)
    implements Comparable<Bundle> {
  private static final Comparator<Bundle> ORDER =
      Comparator.comparing(Bundle::policy)
          .thenComparing(Bundle::cf)
          .thenComparingLong(Bundle::stepMs)
          .thenComparingInt(Bundle::size);

  @Override
  public int compareTo(Bundle other) {
    return ORDER.compare(this, other);
  }
}
