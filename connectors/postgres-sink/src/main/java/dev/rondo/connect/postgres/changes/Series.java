package dev.rondo.connect.postgres.changes;

/**
 * A series and its location.
 *
 * @param location position that one series has at a time
 * @param startsAtMs epoch ms since when the series is there; of two series with one location the
 *     later one is right
 * @param source topic of the point that made the series; empty if it is not known
 */
public record Series(Ident ident, Location location, long startsAtMs, String source)
    implements Change {

  /** Position {@code pos} (from 1) of segment {@code seg} of a policy. */
  public record Location(String policy, int seg, int pos) {}
}
