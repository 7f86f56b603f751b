package dev.rondo.topology.memory;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/**
 * The heap of an instance, and what its tasks may hold there together.
 *
 * <pre>
 *   state       series + definitions      1/2    definitions at most 1/4
 *   buffers     merge + reorder + rows    1/4    reorder at most 1/8, rows at most 1/32
 *   the rest    the program, its garbage  1/4
 * </pre>
 *
 * <p>What is state stays: where it is full, new series and definitions are refused. What is
 * buffered goes on early where it is full.
 */
public final class MemoryBudget {
  private final MemoryAccount series;
  private final MemoryAccount definitions;
  private final MemoryAccount merge;
  private final MemoryAccount reorder;
  private final MemoryAccount rows;

  private MemoryBudget(long heapBytes, long maxSeries) {
    MemoryAccount state = account("state", heapBytes / 2, Long.MAX_VALUE, null);
    MemoryAccount buffers = account("buffers", heapBytes / 4, Long.MAX_VALUE, null);
    this.series = account("series", heapBytes / 2, maxSeries, state);
    this.definitions = account("definitions", heapBytes / 4, Long.MAX_VALUE, state);
    this.merge = account("merge", heapBytes / 4, Long.MAX_VALUE, buffers);
    this.reorder = account("reorder", heapBytes / 8, Long.MAX_VALUE, buffers);
    this.rows = account("rows", heapBytes / 32, Long.MAX_VALUE, buffers);
  }

  private static MemoryAccount account(
      String name, long mostBytes, long mostEntries, MemoryAccount together) {
    return new MemoryAccount(name, mostBytes, mostEntries, together);
  }

  /**
   * Of this JVM's heap.
   *
   * @param maxSeries most series of this instance; 0 = as many as fit
   */
  public static MemoryBudget ofHeap(long maxSeries) {
    return of(Runtime.getRuntime().maxMemory(), maxSeries);
  }

  /** Of a heap of so many bytes. */
  public static MemoryBudget of(long heapBytes, long maxSeries) {
    return new MemoryBudget(heapBytes, maxSeries == 0 ? Long.MAX_VALUE : maxSeries);
  }

  /** Series, with their open slots. */
  public MemoryAccount series() {
    return series;
  }

  /** What ids name. */
  public MemoryAccount definitions() {
    return definitions;
  }

  /** Points that wait for other source partitions. */
  public MemoryAccount merge() {
    return merge;
  }

  /** Points that wait for earlier ones of their series. */
  public MemoryAccount reorder() {
    return reorder;
  }

  /** Rows that wait for the values of their other series. */
  public MemoryAccount rows() {
    return rows;
  }

  /** Shows what is held, and what may be. */
  public void show(MeterRegistry registry) {
    for (MemoryAccount account : List.of(series, definitions, merge, reorder, rows)) {
      Gauge.builder("rondo.memory.bytes", account, MemoryAccount::bytes)
          .description("Heap that is held, as counted, bytes")
          .tag("account", account.name())
          .register(registry);
      Gauge.builder("rondo.memory.max.bytes", account, MemoryAccount::mostBytes)
          .description("Heap that may be held, bytes")
          .tag("account", account.name())
          .register(registry);
    }
  }
}
