package dev.rondo.topology.rows;

import dev.rondo.topology.lag.Arrival;
import dev.rondo.topology.memory.MemoryShare;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Buffers the rows of one segment until all their values arrive. A row is sent when every live
 * series has a value, or after {@code row.linger.ms} by stream time or wall clock. Later values are
 * sent in another part under the same conditions; the sink merges the parts. If the segment or the
 * instance has no memory for another row, the oldest row of the segment is sent early. Not safe to
 * share between threads.
 */
public final class PendingRows {
  /** Limit of buffered rows, which are part of the segment's state and must fit into a record. */
  private static final int MAX_BYTES = 1024 * 1024;

  /** Heap of a row without its values, and of its map entry. */
  static final long ROW_BYTES = 128;

  /** Receives sent rows. */
  @FunctionalInterface
  public interface RowSink {
    /**
     * Receives one row.
     *
     * @param archive index of the archive in its policy
     * @param endMs end of the slot, epoch ms
     * @param values values by position, from position 1; NaN = no new value
     * @param arrival arrival of the point that set the first value; null if unknown
     */
    void row(int archive, long endMs, double[] values, Arrival arrival);
  }

  private final int width;
  private final MemoryShare memory;
  private final int maxRows;
  private final List<Long> lingerMs;
  private final Supplier<Arrival> arrival;
  private final List<TreeMap<Long, PendingRow>> byArchive;

  /** Row that was set last, by archive; usually also the next, found without boxing its key. */
  private final PendingRow[] latest;

  /** Last row that was sent in part, by archive; null if none. */
  private final SentPart[] parts;

  private record SentPart(long endMs, BitSet positions) {}

  /**
   * Creates an empty buffer.
   *
   * @param lingerMs longest time to buffer a row, by archive
   * @param memory memory shared by the segments of a task
   * @param arrival arrival of the point that is being added; null if none
   */
  public PendingRows(
      int width, List<Long> lingerMs, MemoryShare memory, Supplier<Arrival> arrival) {
    this.width = width;
    this.memory = memory;
    this.arrival = arrival;
    this.maxRows = Math.max(1, MAX_BYTES / (width * Double.BYTES) / lingerMs.size());
    this.lingerMs = lingerMs;
    this.byArchive = lingerMs.stream().map(ms -> new TreeMap<Long, PendingRow>()).toList();
    this.latest = new PendingRow[lingerMs.size()];
    this.parts = new SentPart[lingerMs.size()];
  }

  /**
   * Sets the value of a slot of a series.
   *
   * @param live number of series that complete the row; 0 = unknown, so the row lingers
   * @param newestMs time of the newest point of the task, epoch ms
   * @param nowMs monotonic clock, ms
   */
  public void set(
      int archive,
      int series,
      long endMs,
      double value,
      int live,
      long newestMs,
      long nowMs,
      RowSink sink) {
    TreeMap<Long, PendingRow> rows = byArchive.get(archive);
    PendingRow row = buffered(archive, endMs);
    if (row == null) {
      if (rows.size() >= maxRows || (memory.isFull() && !rows.isEmpty())) {
        PendingRow oldest = rows.pollFirstEntry().getValue();
        count(-1);
        sink.row(archive, oldest.endMs, oldest.values(), oldest.arrival);
      }
      row = new PendingRow(endMs, width, newestMs, nowMs, arrival.get());
      if (parts[archive] != null && parts[archive].endMs == endMs) {
        row.continueAfter(parts[archive].positions);
        parts[archive] = null;
      }
      rows.put(endMs, row);
      count(1);
    }
    latest[archive] = row;
    row.set(series, value);
    if (row.isComplete(live)) {
      latest[archive] = null;
      rows.remove(endMs);
      count(-1);
      sink.row(archive, endMs, row.values(), row.arrival);
    }
  }

  private PendingRow buffered(int archive, long endMs) {
    PendingRow row = latest[archive];
    return row != null && row.endMs == endMs ? row : byArchive.get(archive).get(endMs);
  }

  /** Ends the linger time of a row if it is buffered. */
  public void endLinger(int archive, long endMs) {
    PendingRow row = buffered(archive, endMs);
    if (row != null) {
      row.isDue = true;
    }
  }

  /** Sends the rows whose linger time is over. Returns whether there were any. */
  public boolean sendLingering(long newestMs, long nowMs, RowSink sink) {
    boolean sent = false;
    for (int a = 0; a < byArchive.size(); a++) {
      long linger = lingerMs.get(a);
      Iterator<PendingRow> rows = byArchive.get(a).values().iterator();
      while (rows.hasNext()) {
        PendingRow row = rows.next();
        if (row.isDue
            || newestMs - row.sinceNewestMs >= linger
            || nowMs - row.sinceNowMs >= linger) {
          rows.remove();
          latest[a] = null;
          parts[a] = new SentPart(row.endMs, row.positions());
          count(-1);
          sink.row(a, row.endMs, row.values(), row.arrival);
          sent = true;
        }
      }
    }
    return sent;
  }

  /** Earliest arrival of the points in buffered rows; null if none is known. */
  public Arrival firstArrival() {
    Arrival first = null;
    for (TreeMap<Long, PendingRow> rows : byArchive) {
      for (PendingRow row : rows.values()) {
        first = Arrival.earlier(first, row.arrival);
      }
    }
    return first;
  }

  /** Passes every buffered row to {@code sink} and keeps it. */
  public void forEach(RowSink sink) {
    for (int a = 0; a < byArchive.size(); a++) {
      for (PendingRow row : byArchive.get(a).values()) {
        sink.row(a, row.endMs, row.values(), row.arrival);
      }
    }
  }

  public void clear() {
    for (TreeMap<Long, PendingRow> rows : byArchive) {
      count(-rows.size());
      rows.clear();
    }
    Arrays.fill(latest, null);
  }

  /** Restores a buffered row; its linger time restarts. */
  public void restore(
      int archive, long endMs, double[] values, long newestMs, long nowMs, Arrival arrival) {
    PendingRow row = new PendingRow(endMs, width, newestMs, nowMs, arrival);
    for (int series = 0; series < values.length; series++) {
      if (!Double.isNaN(values[series])) {
        row.set(series, values[series]);
      }
    }
    byArchive.get(archive).put(endMs, row);
    count(1);
  }

  private void count(int rows) {
    memory.add(rows, rows * (ROW_BYTES + (long) width * Double.BYTES));
  }
}
