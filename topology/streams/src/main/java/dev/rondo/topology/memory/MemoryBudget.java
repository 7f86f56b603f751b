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
 * <p>State is never evicted: while it is full, new series and definitions are refused. While
 * buffers are full, their oldest entries are released early; in the merge and in reorder windows,
 * those of sources that exceed their part.
 */
public final class MemoryBudget {
  /**
   * Heap that is not divided; an instance without series uses 18 MB ({@code ./rondo bench
   * restart}).
   */
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
    MemoryAccount state = new MemoryAccount("state", heapBytes / 2, Long.MAX_VALUE, null);
    MemoryAccount buffers = new MemoryAccount("buffers", heapBytes / 4, Long.MAX_VALUE, null);
    this.series = new MemoryAccount("series", heapBytes / 2, maxSeries, state);
    this.freePositions = new MemoryAccount("free-positions", heapBytes / 2, Long.MAX_VALUE, null);
    this.definitions = new MemoryAccount("definitions", heapBytes / 4, Long.MAX_VALUE, state);
    this.merge = new MemoryAccount("merge", heapBytes / 4, Long.MAX_VALUE, buffers);
    this.reorder = new MemoryAccount("reorder", heapBytes / 8, Long.MAX_VALUE, buffers);
    this.rows = new MemoryAccount("rows", heapBytes / 32, Long.MAX_VALUE, buffers);
    this.deletionsBySource = new FairMemory(series);
    List<FairMemory> bySource = FairMemory.of(merge, reorder);
    this.mergeBySource = bySource.get(0);
    this.reorderBySource = bySource.get(1);
  }

  /**
   * Returns a budget for the heap of this JVM.
   *
   * @param maxSeries maximum number of series of this instance; 0 = as many as fit
   */
  public static MemoryBudget ofHeap(long maxSeries) {
    long heapBytes = Runtime.getRuntime().maxMemory();
    return of(Math.max(heapBytes / 2, heapBytes - PROGRAM_BYTES), maxSeries);
  }

  /** Returns a budget for a heap of {@code heapBytes}. */
  public static MemoryBudget of(long heapBytes, long maxSeries) {
    return new MemoryBudget(heapBytes, maxSeries == 0 ? Long.MAX_VALUE : maxSeries);
  }

  /** Series with their open slots. */
  public MemoryAccount series() {
    return series;
  }

  /** Free positions, which may fill what {@link #series} leaves free. */
  public MemoryAccount freePositions() {
    return freePositions;
  }

  /** Deleted series in {@link #series}, divided among their source topics. */
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

  /** {@link #merge}, divided among source topics. */
  public FairMemory mergeBySource() {
    return mergeBySource;
  }

  /** Points that reorder windows buffer. */
  public MemoryAccount reorder() {
    return reorder;
  }

  /** {@link #reorder}, divided among source topics. */
  public FairMemory reorderBySource() {
    return reorderBySource;
  }

  /** Buffered rows. */
  public MemoryAccount rows() {
    return rows;
  }

  /** Registers gauges of the used and the maximum memory of each account. */
  public void bindTo(MeterRegistry registry) {
    for (MemoryAccount account :
        List.of(series, freePositions, definitions, merge, reorder, rows)) {
      Gauge.builder("rondo.memory.bytes", account, MemoryAccount::bytes)
          .description("Heap in use, as counted, bytes")
          .tag("account", account.name())
          .register(registry);
      Gauge.builder("rondo.memory.max.bytes", account, MemoryAccount::maxBytes)
          .description("Heap limit, bytes")
          .tag("account", account.name())
          .register(registry);
    }
  }
}
