package dev.rondo.topology.archive;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.internals.ByteUtils;

/**
 * Serializes {@link OpenSlots}: the archives (function, step, size), then the series that have had
 * a point or are prepared for a replay. Times are varints of differences from the series before,
 * because series of one machine share them. Archives that still exist when they are read keep their
 * open slots; new ones start empty. A changed finest step or function discards PDPs and open slots.
 */
public final class OpenSlotsCodec {
  /** Most bytes of a varint. */
  private static final int TIME_BYTES = 10;

  /** Functions of finest slots, written as their index. */
  private static final List<ConsolidationFunction> FINEST =
      List.of(ConsolidationFunction.WMEAN, ConsolidationFunction.LAST, ConsolidationFunction.SUM);

  private static final int SERIES_TIMES = 4;
  private static final int ARCHIVE_TIMES = 2;

  private OpenSlotsCodec() {}

  /** Writes the state of all series. */
  public static void write(OpenSlots slots, DataOutput out) throws IOException {
    out.writeLong(slots.stepMs());
    out.writeByte(FINEST.indexOf(slots.finest()));
    out.writeInt(slots.open.length);
    for (Archive archive : slots.archives()) {
      out.writeUTF(archive.function().key());
      out.writeLong(archive.shape().stepMs());
      out.writeInt(archive.shape().size());
    }
    int known = 0;
    for (int series = 0; series < slots.lastMs.length; series++) {
      known += slots.hasHadPoint(series) ? 1 : 0;
    }
    out.writeInt(known);
    // in one buffer, as each call of a stream takes a lock and every commit writes
    ByteBuffer bytes = ByteBuffer.allocate(known * maxBytes(slots.open.length));
    Times times = new Times(slots.open.length);
    for (int series = 0; series < slots.lastMs.length; series++) {
      if (slots.hasHadPoint(series)) {
        putSeries(slots, series, times, bytes);
      }
    }
    out.writeInt(bytes.position());
    out.write(bytes.array(), 0, bytes.position());
  }

  private static int maxBytes(int archives) {
    return (SERIES_TIMES + archives * ARCHIVE_TIMES) * TIME_BYTES + (1 + archives) * Double.BYTES;
  }

  private static void putSeries(OpenSlots slots, int series, Times times, ByteBuffer out) {
    times.nextSeries();
    times.put(series, out);
    times.put(slots.lastMs[series], out);
    times.put(slots.wholeFromMs[series], out);
    times.put(slots.pdpKnownMs[series], out);
    out.putDouble(slots.pdp[series]);
    for (OpenSlots.OpenArchive archive : slots.open) {
      times.put(archive.knownMs[series], out);
      times.put(archive.emittedKnownMs[series], out);
      out.putDouble(archive.value[series]);
    }
  }

  /** Integers of one series, each as the difference from the series before. */
  private static final class Times {
    private final long[] before;
    private int next;

    Times(int archives) {
      before = new long[SERIES_TIMES + archives * ARCHIVE_TIMES];
    }

    void nextSeries() {
      next = 0;
    }

    void put(long time, ByteBuffer out) {
      ByteUtils.writeVarlong(time - before[next], out); // an overflow is undone by get
      before[next++] = time;
    }

    long get(ByteBuffer in) {
      before[next] += ByteUtils.readVarlong(in);
      return before[next++];
    }
  }

  /** Receives how far series have emitted slots in archives that no longer exist. */
  @FunctionalInterface
  public interface Forgotten {
    /**
     * Receives the time, epoch ms, at or before which all emitted slots of a series end.
     *
     * @param series index of the series in its segment, from 0
     */
    void until(int series, long untilMs);
  }

  /**
   * Reads the bytes of {@link #write} into {@code slots}, which are empty and wide enough. Returns
   * the current index of each written archive, -1 for a removed one.
   */
  public static int[] read(OpenSlots slots, DataInput in, Forgotten forgotten) throws IOException {
    long stepMs = in.readLong();
    ConsolidationFunction finest = FINEST.get(in.readByte());
    boolean samePdp = stepMs == slots.stepMs() && finest == slots.finest();
    int[] indexes = new int[in.readInt()];
    List<ArchiveShape> removed = new ArrayList<>();
    for (int a = 0; a < indexes.length; a++) {
      String function = in.readUTF();
      ArchiveShape shape = new ArchiveShape(in.readLong(), in.readInt());
      indexes[a] = indexOf(slots.archives(), function, shape);
      if (indexes[a] < 0 || !samePdp) {
        removed.add(shape);
      }
    }
    int known = in.readInt();
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    ByteBuffer all = ByteBuffer.wrap(bytes);
    Times times = new Times(indexes.length);
    for (int n = 0; n < known; n++) {
      int series = readSeries(slots, samePdp, indexes, times, all);
      if (slots.lastMs[series] != OpenSlots.NONE) {
        // the finest slot of the last point ended a step after it at the latest
        long endMs = slots.lastMs[series] + stepMs;
        removed.forEach(shape -> forgotten.until(series, shape.endOf(endMs)));
      }
    }
    return indexes;
  }

  private static int indexOf(List<Archive> archives, String function, ArchiveShape shape) {
    for (int a = 0; a < archives.size(); a++) {
      Archive archive = archives.get(a);
      if (archive.function().key().equals(function) && archive.shape().equals(shape)) {
        return a;
      }
    }
    return -1;
  }

  private static int readSeries(
      OpenSlots slots, boolean samePdp, int[] indexes, Times times, ByteBuffer in) {
    times.nextSeries();
    int series = (int) times.get(in);
    slots.lastMs[series] = times.get(in);
    slots.wholeFromMs[series] = times.get(in);
    long pdpKnownMs = times.get(in);
    double pdp = in.getDouble();
    if (samePdp) {
      slots.pdp[series] = pdp;
      slots.pdpKnownMs[series] = pdpKnownMs;
    }
    for (int index : indexes) {
      long knownMs = times.get(in);
      long emittedKnownMs = times.get(in);
      double value = in.getDouble();
      if (index >= 0 && samePdp) {
        slots.open[index].value[series] = value;
        slots.open[index].knownMs[series] = knownMs;
        slots.open[index].emittedKnownMs[series] = emittedKnownMs;
      }
    }
    return series;
  }
}
