package dev.rondo.topology.archive;

/**
 * Shape of an archive and its slot arithmetic. Times are epoch ms; a slot is the half-open interval
 * (end − step, end] and is named by its end.
 *
 * @param stepMs length of a slot, ms, at least 1
 * @param size slots in the archive, at least 1
 */
public record ArchiveShape(long stepMs, int size) {
  public ArchiveShape {
    if (stepMs < 1) {
      throw new IllegalArgumentException("stepMs < 1: " + stepMs);
    }
    if (size < 1) {
      throw new IllegalArgumentException("size < 1: " + size);
    }
  }

  /** Index, 0..size-1, of the slot ending at {@code endMs}, which is a multiple of the step. */
  public int index(long endMs) {
    return (int) Math.floorMod(endMs / stepMs, (long) size);
  }

  /** End of the slot that holds {@code tMs}: the first multiple of the step at or after it. */
  public long endOf(long tMs) {
    return -Math.floorDiv(-tMs, stepMs) * stepMs;
  }

  /**
   * How far a slot may end after the present, ms: as far as the open slot of a sender whose clock
   * is ahead by an eighth of the span. A slot further ahead would replace one that other series of
   * its row still need.
   *
   * <pre>
   *   |‹──────────────── span ────────────────›|               slots that readers need
   *   |‹ 1/8 + step ›|                      now|‹ 1/8 + step ›|   accepted ahead
   *     replaced by these
   * </pre>
   */
  public long aheadMs() {
    return spanMs() / 8 + stepMs;
  }

  /** Time that the archive covers, ms. */
  public long spanMs() {
    return stepMs * size;
  }
}
