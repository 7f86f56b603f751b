package dev.rondo.topology.segment;

import dev.rondo.topology.memory.FairShares;
import dev.rondo.topology.memory.MemoryBudget;
import dev.rondo.topology.memory.MemoryShare;
import dev.rondo.topology.policy.Policy;

/**
 * Memory that a task uses, without the points in its merge.
 *
 * @param series series with their open slots
 * @param free free positions
 * @param reorder points in reorder windows, by the source topic of their series
 * @param rows buffered rows
 */
public record TaskMemory(
    MemoryShare series, MemoryShare free, FairShares reorder, MemoryShare rows) {
  /** Heap of a series without its ident and archives: in the index and in its segment. */
  private static final long SERIES_BYTES = 240;

  /** Part of it that stays when the series leaves its position. */
  private static final long POSITION_BYTES = 120;

  /** Heap of a position per archive: in its segment and in rows. */
  private static final long ARCHIVE_BYTES = 32;

  /** Opens the shares of a task. */
  public static TaskMemory of(MemoryBudget budget) {
    return new TaskMemory(
        budget.series().open(),
        budget.freePositions().open(),
        budget.reorderBySource().open(),
        budget.rows().open());
  }

  /** Memory without a bound. */
  public static TaskMemory unbounded() {
    return of(MemoryBudget.of(Long.MAX_VALUE, 0));
  }

  /** Adds a series of a policy, or subtracts it if {@code count} is -1. */
  public void addSeries(int count, String ident, Policy policy) {
    long bytes = SERIES_BYTES + ident.length() + ARCHIVE_BYTES * policy.archives().size();
    series.add(count, count * bytes);
  }

  /** Adds the heap of a free position, or subtracts it if {@code bytes} is negative. */
  public void addFree(long bytes) {
    free.add(0, bytes);
  }

  /** Whether there is heap for another position besides the free ones. */
  public boolean hasRoomForPosition() {
    return free.bytesOfAll() < series.freeBytes();
  }

  /** Heap of a position that stays when its series leaves. */
  public static long positionBytes(Policy policy) {
    return POSITION_BYTES + ARCHIVE_BYTES * policy.archives().size();
  }

  void close() {
    series.close();
    free.close();
    reorder.close();
    rows.close();
  }
}
