package dev.rondo.topology.archive;

/**
 * One round-robin archive of a policy.
 *
 * @param function consolidates finest slots into one slot
 * @param shape step and size
 * @param xff least known share of an emitted slot, 0..1
 */
public record Archive(ConsolidationFunction function, ArchiveShape shape, double xff) {
  public Archive {
    if (!(xff >= 0 && xff <= 1)) {
      throw new IllegalArgumentException("xff is not within 0..1: " + xff);
    }
  }

  /** Least known time of an emitted slot, ms; at least 1, as an empty slot is unknown. */
  public long leastKnownMs() {
    double exact = xff * shape.stepMs();
    long rounded = Math.round(exact);
    // 0.3 x 10 s may be slightly above 3000 ms in floating point; the excess is ignored
    boolean isWhole = Math.abs(exact - rounded) < 1e-6;
    return Math.max(1, isWhole ? rounded : (long) Math.ceil(exact));
  }
}
