package dev.rondo.connect.postgres.changes;

/**
 * Where a series lives.
 *
 * @param place its position, held by one series at a time
 * @param validFromMs epoch ms; of two series that claim one position the later one is right
 */
public record Series(Ident ident, Place place, long validFromMs) implements Change {

  /** Position {@code pos} (from 1) of segment {@code seg} of a policy. */
  public record Place(String policy, int seg, int pos) {}
}
