package dev.rondo.topology.memory;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/**
 * Divides the heap of an instance among the accounts of its tasks.
 *
 * <pre>
 *   state       series + definitions      1/2    definitions at most 1/4
 *   buffers     merge + reorder + rows    1/4    reorder at most 1/8, rows at most 1/32
 *   the rest    the program, its garbage  1/4
 * </pre>
 *
 * <p>State is never evicted: while it is full, new series and definitions are refused. Buffers are
 * evicted: while they are full, their oldest entries are released early, those of the merge and of
 * reorder windows of sources with more than their part.
 */
public final class MemoryBudget {
  /** Not divided: an instance without series has 18 MB in use ({@code ./rondo bench memory}). */
  private static final long PROGRAM_BYTES = 32L * 1024 * 1024;

  private final MemoryAccount series;
  private final MemoryAccount freePositions;
  private final MemoryAccount definitions;
  private final MemoryAccount merge;
  private final MemoryAccount reorder;
  private final MemoryAccount rows;
  private final FairMemory deletionsBySource;
  private final FairMemory mergeBySource;
  private final FairMemory reorderBySource;

  private MemoryBudget(long heapBytes, long maxSeries) {
    MemoryAccount state = account("state", heapBytes / 2, Long.MAX_VALUE, null);
    MemoryAccount buffers = account("buffers", heapBytes / 4, Long.MAX_VALUE, null);
    this.series = account("series", heapBytes / 2, maxSeries, state);
    this.freePositions = account("free-positions", heapBytes / 2, Long.MAX_VALUE, null);
    this.definitions = account("definitions", heapBytes / 4, Long.MAX_VALUE, state);
    this.merge = account("merge", heapBytes / 4, Long.MAX_VALUE, buffers);
    this.reorder = account("reorder", heapBytes / 8, Long.MAX_VALUE, buffers);
    this.rows = account("rows", heapBytes / 32, Long.MAX_VALUE, buffers);
    this.deletionsBySource = new FairMemory(series);
    List<FairMemory> bySource = FairMemory.of(merge, reorder);
    this.mergeBySource = bySource.get(0);
    this.reorderBySource = bySource.get(1);
  }

  private static MemoryAccount account(
      String name, long maxBytes, long maxEntries, MemoryAccount parent) {
    return new MemoryAccount(name, maxBytes, maxEntries, parent);
  }

  /**
   * Budget of this JVM's heap.
   *
   * @param maxSeries maximum number of series of this instance; 0 = as many as fit
   */
  public static MemoryBudget ofHeap(long maxSeries) {
    long heapBytes = Runtime.getRuntime().maxMemory();
    return of(Math.max(heapBytes / 2, heapBytes - PROGRAM_BYTES), maxSeries);
  }

  /** Budget of a heap of {@code heapBytes}. */
  public static MemoryBudget of(long heapBytes, long maxSeries) {
    return new MemoryBudget(heapBytes, maxSeries == 0 ? Long.MAX_VALUE : maxSeries);
  }

  /** Series with their open slots. */
  public MemoryAccount series() {
    return series;
  }

  /** Positions that series have left, which may fill what {@link #series} leaves free. */
  public MemoryAccount freePositions() {
    return freePositions;
  }

  /** What {@link #series} has of deleted series, divided between their source topics. */
  public FairMemory deletionsBySource() {
    return deletionsBySource;
  }

  /** Definitions of ids. */
  public MemoryAccount definitions() {
    return definitions;
  }

  /** Points that merges buffer. */
  public MemoryAccount merge() {
    return merge;
  }

  /** {@link #merge}, divided between source topics. */
  public FairMemory mergeBySource() {
    return mergeBySource;
  }

  /** Points that reorder windows buffer. */
  public MemoryAccount reorder() {
    return reorder;
  }

  /** {@link #reorder}, divided between the source topics of the series. */
  public FairMemory reorderBySource() {
    return reorderBySource;
  }

  /** Rows that are buffered for the values of their other series. */
  public MemoryAccount rows() {
    return rows;
  }

  /** Registers gauges of the used and the maximum memory of each account. */
  public void bindTo(MeterRegistry registry) {
    for (MemoryAccount account :
        List.of(series, freePositions, definitions, merge, reorder, rows)) {
      Gauge.builder("rondo.memory.bytes", account, MemoryAccount::bytes)
          .description("Heap that is used, as counted, bytes")
          .tag("account", account.name())
          .register(registry);
      Gauge.builder("rondo.memory.max.bytes", account, MemoryAccount::maxBytes)
          .description("Heap that may be used, bytes")
          .tag("account", account.name())
          .register(registry);
    }
  }
}
