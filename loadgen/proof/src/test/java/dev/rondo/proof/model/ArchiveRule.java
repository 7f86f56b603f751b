package dev.rondo.proof.model;

import java.time.Duration;

/**
 * One archive of a policy, as in the policies file.
 *
 * @param function wmean, min, max, last or sum
 * @param stepMs length of a slot
 * @param size slots in the archive
 * @param xff minimum known share of a known slot
 */
record ArchiveRule(String function, long stepMs, int size, double xff) {
  static ArchiveRule of(String function, Duration step, Duration span, double xff) {
    return new ArchiveRule(function, step.toMillis(), Math.toIntExact(span.dividedBy(step)), xff);
  }

  /** {@code function:step:span:xff}, spans in seconds, with a span that is {@code longer} times. */
  String yaml(int longer) {
    return "\"%s:%ds:%ds:%s\""
        .formatted(function, stepMs / 1000, stepMs / 1000 * size * longer, xff);
  }

  /** End of the slot that contains {@code tMs}. */
  long endOf(long tMs) {
    return (tMs + stepMs - 1) / stepMs * stepMs;
  }

  int index(long endMs) {
    return (int) (endMs / stepMs % size);
  }

  @Override
  public String toString() {
    return function + " of " + stepMs / 1000.0 + " s x " + size;
  }
}
