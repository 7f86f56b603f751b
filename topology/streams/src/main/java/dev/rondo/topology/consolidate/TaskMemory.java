package dev.rondo.topology.consolidate;

import dev.rondo.topology.memory.MemoryBudget;
import dev.rondo.topology.memory.MemoryShare;
import dev.rondo.topology.policy.Policy;

/**
 * What a task holds of its instance's memory, beside the points that wait for other sources.
 *
 * @param series with their open slots
 * @param reorder points that wait for earlier ones of their series
 * @param rows that wait for the values of their other series
 */
record TaskMemory(MemoryShare series, MemoryShare reorder, MemoryShare rows) {
  /** Heap of a series beside its ident and archives: in the index, its segment, both as written. */
  private static final long SERIES_BYTES = 360;

  /** Heap of a series in an archive, as it is and as written. */
  private static final long ARCHIVE_BYTES = 48;

  /** So often its ident is kept: in the index, as key and in the value of its written location. */
  private static final int IDENTS = 3;

  static TaskMemory of(MemoryBudget budget) {
    return new TaskMemory(budget.series().open(), budget.reorder().open(), budget.rows().open());
  }

  /** Where nothing is short. */
  static TaskMemory unbounded() {
    return of(MemoryBudget.of(Long.MAX_VALUE, 0));
  }

  /** One more series; one less where {@code count} is -1. */
  void addSeries(int count, String ident, Policy policy) {
    long bytes =
        SERIES_BYTES + IDENTS * (long) ident.length() + ARCHIVE_BYTES * policy.archives().size();
    series.add(count, count * bytes);
  }

  /** Gives all back: the task leaves. */
  void close() {
    series.close();
    reorder.close();
    rows.close();
  }
}
