package dev.rondo.topology.segment;

import dev.rondo.topology.memory.FairShares;
import dev.rondo.topology.memory.MemoryBudget;
import dev.rondo.topology.memory.MemoryShare;
import dev.rondo.topology.policy.Policy;

/**
 * Memory of its instance that a task uses, besides the points in its merge.
 *
 * @param series series with their open slots
 * @param free positions that series have left
 * @param reorder points in reorder windows, by the source topic of their series
 * @param rows rows that are buffered for the values of their other series
 */
public record TaskMemory(
    MemoryShare series, MemoryShare free, FairShares reorder, MemoryShare rows) {
  /** Heap of a series without its ident and archives: in the index and in its segment. */
  private static final long SERIES_BYTES = 240;

  /** That part of it which stays when a series leaves its position. */
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

  /** Adds a series of a policy; subtracts it if {@code count} is -1. */
  public void addSeries(int count, String ident, Policy policy) {
    long bytes = SERIES_BYTES + ident.length() + ARCHIVE_BYTES * policy.archives().size();
    series.add(count, count * bytes);
  }

  /**
   * Adds a position that no series has, of as many {@code bytes}; subtracts it if they are below 0.
   */
  public void addFree(long bytes) {
    free.add(0, bytes);
  }

  /** Whether there is heap for another position beside all that are free. */
  public boolean hasRoomForPosition() {
    return free.bytesOfAll() < series.freeBytes();
  }

  /** Heap of a position, which stays when its series leaves. */
  public static long positionBytes(Policy policy) {
    return POSITION_BYTES + ARCHIVE_BYTES * policy.archives().size();
  }

  /** Returns all memory to the instance. */
  void close() {
    series.close();
    free.close();
    reorder.close();
    rows.close();
  }
}
