package dev.rondo.topology.rows;

import dev.rondo.topology.memory.MemoryShare;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;

/**
 * The rows of one segment that still wait for values of its other series. A row goes out when every
 * live series has told its value, or when it has waited for {@code row.linger}, by the partition's
 * time or by the wall clock. A value that comes later goes out in another, partial row; the sink
 * merges them. Where more rows wait than there is room for, in the segment or in the instance, the
 * oldest of the segment goes out early. Not safe to share between threads.
 */
public final class PendingRows {
  /** Waiting rows are part of the segment's state, which has to fit into a record. */
  private static final int MAX_BYTES = 1024 * 1024;

  /** Heap of a row beside its values, and of its place among the others. */
  static final long ROW_BYTES = 128;

  /** Takes a row that goes out. */
  @FunctionalInterface
  public interface RowSink {
    /**
     * A row.
     *
     * @param archive index of the archive in its policy
     * @param endMs end of the slot, epoch ms
     * @param values by position, from position 1; NaN = no news
     */
    void row(int archive, long endMs, double[] values);
  }

  private final int width;
  private final MemoryShare memory;
  private final int maxRows;
  private final List<Long> lingerMs;
  private final List<TreeMap<Long, PendingRow>> byArchive;

  /** The row that was set last, by archive: mostly the next one, found without a boxed key. */
  private final PendingRow[] latest;

  /**
   * Nothing pending.
   *
   * @param lingerMs longest wait of a row, one an archive
   * @param memory shared by the segments of a task
   */
  public PendingRows(int width, List<Long> lingerMs, MemoryShare memory) {
    this.width = width;
    this.memory = memory;
    this.maxRows = Math.max(1, MAX_BYTES / (width * Double.BYTES) / lingerMs.size());
    this.lingerMs = lingerMs;
    this.byArchive = lingerMs.stream().map(ms -> new TreeMap<Long, PendingRow>()).toList();
    this.latest = new PendingRow[lingerMs.size()];
  }

  /**
   * A series told the value of a slot.
   *
   * @param live how many series the row waits for; 0 = nobody knows, it lingers
   * @param partitionMs newest time among the partition's points, epoch ms
   * @param wallMs the clock, epoch ms
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
        sink.row(archive, oldest.endMs, oldest.values());
      }
      row = new PendingRow(endMs, width, partitionMs, wallMs);
      rows.put(endMs, row);
      count(1);
    }
    latest[archive] = row;
    row.set(series, value);
    if (live > 0 && row.known >= live) {
      latest[archive] = null;
      rows.remove(endMs);
      count(-1);
      sink.row(archive, endMs, row.values());
    }
  }

  /** Sends out the rows that have waited long enough. Returns whether any did. */
  public boolean sendLingering(long partitionMs, long wallMs, RowSink sink) {
    boolean sent = false;
    for (int a = 0; a < byArchive.size(); a++) {
      long linger = lingerMs.get(a);
      Iterator<PendingRow> rows = byArchive.get(a).values().iterator();
      while (rows.hasNext()) {
        PendingRow row = rows.next();
        if (partitionMs - row.sincePartitionMs >= linger || wallMs - row.sinceWallMs >= linger) {
          rows.remove();
          latest[a] = null;
          count(-1);
          sink.row(a, row.endMs, row.values());
          sent = true;
        }
      }
    }
    return sent;
  }

  /** Hands every waiting row to {@code sink} and keeps it. */
  public void forEach(RowSink sink) {
    for (int a = 0; a < byArchive.size(); a++) {
      for (PendingRow row : byArchive.get(a).values()) {
        sink.row(a, row.endMs, row.values());
      }
    }
  }

  /** Puts back a row that waited when its segment was saved; its wait begins anew. */
  public void restore(int archive, long endMs, double[] values, long partitionMs, long wallMs) {
    PendingRow row = new PendingRow(endMs, width, partitionMs, wallMs);
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
