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
 * Buffers the rows of one segment until the values of its other series arrive. A row is sent when
 * every live series has a value, or after {@code row.linger.ms}, by the partition's stream time or
 * by the wall clock. Values that arrive later are sent in another part, once they are the last ones
 * or have lingered, too; the sink merges the parts. If the segment or the instance has no memory
 * for another row, the oldest row of the segment is sent early. Not safe to share between threads.
 */
public final class PendingRows {
  /** Buffered rows are part of the segment's state, which has to fit into a record. */
  private static final int MAX_BYTES = 1024 * 1024;

  /** Heap of a row without its values, and of its map entry. */
  static final long ROW_BYTES = 128;

  /** Receives a row that is sent. */
  @FunctionalInterface
  public interface RowSink {
    /**
     * Receives one row.
     *
     * @param archive index of the archive in its policy
     * @param endMs end of the slot, epoch ms
     * @param values by position, from position 1; NaN = no new value
     * @param arrival of the point that set the first of them; null if it is not known
     */
    void row(int archive, long endMs, double[] values, Arrival arrival);
  }

  private final int width;
  private final MemoryShare memory;
  private final int maxRows;
  private final List<Long> lingerMs;
  private final Supplier<Arrival> arrival;
  private final List<TreeMap<Long, PendingRow>> byArchive;

  /**
   * The row that was set last, by archive: usually the next one too, found without boxing a key.
   */
  private final PendingRow[] latest;

  /** The row of which a part was sent last, by archive; null if the row was complete. */
  private final SentPart[] parts;

  private record SentPart(long endMs, BitSet positions) {}

  /**
   * Creates an empty buffer.
   *
   * @param lingerMs how long a row is buffered at most, by archive
   * @param memory shared by the segments of a task
   * @param arrival of the point that is being added; null if there is none
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
   * @param partitionMs stream time of the partition, epoch ms
   * @param wallMs wall clock, epoch ms
   */
  public void set(
      int archive,
      int series,
      long endMs,
      double value,
      int live,
      long partitionMs,
      long wallMs,
      RowSink sink) {
    TreeMap<Long, PendingRow> rows = byArchive.get(archive);
    PendingRow row = latest[archive];
    if (row == null || row.endMs != endMs) {
      row = rows.get(endMs);
    }
    if (row == null) {
      if (rows.size() >= maxRows || (memory.isFull() && !rows.isEmpty())) {
        PendingRow oldest = rows.pollFirstEntry().getValue();
        count(-1);
        sink.row(archive, oldest.endMs, oldest.values(), oldest.arrival);
      }
      row = new PendingRow(endMs, width, partitionMs, wallMs, arrival.get());
      if (parts[archive] != null && parts[archive].endMs == endMs) {
        row.follow(parts[archive].positions);
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

  /** Ends the linger time of a row, if it is buffered. */
  public void endLinger(int archive, long endMs) {
    PendingRow row = latest[archive];
    if (row == null || row.endMs != endMs) {
      row = byArchive.get(archive).get(endMs);
    }
    if (row != null) {
      row.isDue = true;
    }
  }

  /** Sends the rows that were buffered for their linger time. Returns whether there were any. */
  public boolean sendLingering(long partitionMs, long wallMs, RowSink sink) {
    boolean sent = false;
    for (int a = 0; a < byArchive.size(); a++) {
      long linger = lingerMs.get(a);
      Iterator<PendingRow> rows = byArchive.get(a).values().iterator();
      while (rows.hasNext()) {
        PendingRow row = rows.next();
        if (row.isDue
            || partitionMs - row.sincePartitionMs >= linger
            || wallMs - row.sinceWallMs >= linger) {
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

  /** The first arrival of the points in buffered rows; null if none is known. */
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

  /** Discards all rows. */
  public void clear() {
    for (TreeMap<Long, PendingRow> rows : byArchive) {
      count(-rows.size());
      rows.clear();
    }
    Arrays.fill(latest, null);
  }

  /** Restores a row that was buffered when its segment was written; its linger time restarts. */
  public void restore(
      int archive, long endMs, double[] values, long partitionMs, long wallMs, Arrival arrival) {
    PendingRow row = new PendingRow(endMs, width, partitionMs, wallMs, arrival);
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
