package dev.rondo.topology.archive;

/**
 * One round-robin archive of a policy.
 *
 * @param function how finest slots become one slot here
 * @param shape step and size
 * @param xff least known share, 0..1, for a slot to count
 */
public record Archive(ConsolidationFunction function, ArchiveShape shape, double xff) {
  public Archive {
    if (!(xff >= 0 && xff <= 1)) {
      throw new IllegalArgumentException("xff is not within 0..1: " + xff);
    }
  }

  /** Least known time, ms, for a slot to count; at least 1: what nobody said is never known. */
  public long leastKnownMs() {
    double exact = xff * shape.stepMs();
    long rounded = Math.round(exact);
    // 0.3 x 10 s may come out a hair above 3000 ms: the hair is not asked for
    boolean whole = Math.abs(exact - rounded) < 1e-6;
    return Math.max(1, whole ? rounded : (long) Math.ceil(exact));
  }
}
