package dev.rondo.topology.archive;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes of {@link OpenSlots}: the archives (function, step, size), then the series that have had a
 * point or are prepared for a replay. If the archives of the policy have changed since the write,
 * each archive that still exists keeps its open slots and a new one starts empty. A changed finest
 * step, or a change to or from Whisper mode, discards PDPs and open slots.
 */
public final class OpenSlotsCodec {
  private static final int SERIES_BYTES = Integer.BYTES + 3 * Long.BYTES + Double.BYTES;
  private static final int ARCHIVE_BYTES = Double.BYTES + 2 * Long.BYTES;

  private OpenSlotsCodec() {}

  /** Writes the state of all series. */
  public static void write(OpenSlots slots, DataOutput out) throws IOException {
    out.writeLong(slots.stepMs());
    out.writeBoolean(slots.isWhisper());
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
    // in one buffer: every call of a stream takes a lock, and this is written at each commit
    ByteBuffer bytes =
        ByteBuffer.allocate(known * (SERIES_BYTES + slots.open.length * ARCHIVE_BYTES));
    for (int series = 0; series < slots.lastMs.length; series++) {
      if (slots.hasHadPoint(series)) {
        putSeries(slots, series, bytes);
      }
    }
    out.write(bytes.array());
  }

  private static void putSeries(OpenSlots slots, int series, ByteBuffer out) {
    out.putInt(series);
    out.putLong(slots.lastMs[series]);
    out.putLong(slots.wholeFromMs[series]);
    out.putDouble(slots.pdp[series]);
    out.putLong(slots.pdpKnownMs[series]);
    for (OpenSlots.OpenArchive archive : slots.open) {
      out.putDouble(archive.value[series]);
      out.putLong(archive.knownMs[series]);
      out.putLong(archive.emittedKnownMs[series]);
    }
  }

  /** Receives the time up to which a series has emitted slots in archives that no longer exist. */
  @FunctionalInterface
  public interface Forgotten {
    /**
     * Slots that the series has emitted end at or before {@code untilMs}, epoch ms.
     *
     * @param series index of the series in its segment, from 0
     */
    void until(int series, long untilMs);
  }

  /**
   * Reads the bytes of {@link #write} into {@code slots}, which are empty and wide enough. Returns
   * the current index of each archive that was written, -1 for a removed archive.
   */
  public static int[] read(OpenSlots slots, DataInput in, Forgotten forgotten) throws IOException {
    long stepMs = in.readLong();
    boolean isWhisper = in.readBoolean();
    boolean samePdp = stepMs == slots.stepMs() && isWhisper == slots.isWhisper();
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
    for (int n = 0; n < known; n++) {
      int series = readSeries(slots, samePdp, indexes, in);
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

  private static int readSeries(OpenSlots slots, boolean samePdp, int[] indexes, DataInput in)
      throws IOException {
    int series = in.readInt();
    slots.lastMs[series] = in.readLong();
    slots.wholeFromMs[series] = in.readLong();
    double pdp = in.readDouble();
    long pdpKnownMs = in.readLong();
    if (samePdp) {
      slots.pdp[series] = pdp;
      slots.pdpKnownMs[series] = pdpKnownMs;
    }
    for (int index : indexes) {
      double value = in.readDouble();
      long knownMs = in.readLong();
      long emittedKnownMs = in.readLong();
      if (index >= 0 && samePdp) {
        slots.open[index].value[series] = value;
        slots.open[index].knownMs[series] = knownMs;
        slots.open[index].emittedKnownMs[series] = emittedKnownMs;
      }
    }
    return series;
  }
}
