package dev.rondo.topology.archive;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/**
 * Bytes of {@link OpenSlots}: the archives (function, step, size), then the series that have had a
 * point or wait for the first of a replay. Read back into other archives than those written, each
 * archive that is still there keeps its open slots; a new one begins empty. A changed finest step
 * forgets the PDPs and what was open.
 */
public final class OpenSlotsCodec {
  private OpenSlotsCodec() {}

  /** Writes the state of all series. */
  public static void write(OpenSlots slots, DataOutput out) throws IOException {
    out.writeLong(slots.stepMs());
    out.writeInt(slots.open.length);
    for (Archive archive : slots.archives()) {
      out.writeUTF(archive.function().key());
      out.writeLong(archive.shape().stepMs());
      out.writeInt(archive.shape().size());
    }
    int known = 0;
    for (int series = 0; series < slots.lastMs.length; series++) {
      known += isKnown(slots, series) ? 1 : 0;
    }
    out.writeInt(known);
    for (int series = 0; series < slots.lastMs.length; series++) {
      if (isKnown(slots, series)) {
        writeSeries(slots, series, out);
      }
    }
  }

  private static boolean isKnown(OpenSlots slots, int series) {
    return slots.lastMs[series] != OpenSlots.NONE || slots.wholeFromMs[series] != OpenSlots.ALWAYS;
  }

  private static void writeSeries(OpenSlots slots, int series, DataOutput out) throws IOException {
    out.writeInt(series);
    out.writeLong(slots.lastMs[series]);
    out.writeLong(slots.wholeFromMs[series]);
    out.writeDouble(slots.pdp[series]);
    out.writeLong(slots.pdpKnownMs[series]);
    for (OpenSlots.OpenArchive archive : slots.open) {
      out.writeDouble(archive.value[series]);
      out.writeLong(archive.knownMs[series]);
      out.writeLong(archive.toldMs[series]);
    }
  }

  /**
   * Reads what {@link #write} wrote into {@code slots}, which are empty and wide enough. Returns
   * for each archive that was written its index now, -1 where it is gone.
   */
  public static int[] read(OpenSlots slots, DataInput in) throws IOException {
    boolean sameStep = in.readLong() == slots.stepMs();
    int[] places = new int[in.readInt()];
    for (int a = 0; a < places.length; a++) {
      places[a] = place(slots.archives(), in.readUTF(), in.readLong(), in.readInt());
    }
    int known = in.readInt();
    for (int n = 0; n < known; n++) {
      readSeries(slots, sameStep, places, in);
    }
    return places;
  }

  private static int place(List<Archive> archives, String function, long stepMs, int size) {
    for (int a = 0; a < archives.size(); a++) {
      Archive archive = archives.get(a);
      if (archive.function().key().equals(function)
          && archive.shape().equals(new ArchiveShape(stepMs, size))) {
        return a;
      }
    }
    return -1;
  }

  private static void readSeries(OpenSlots slots, boolean sameStep, int[] places, DataInput in)
      throws IOException {
    int series = in.readInt();
    slots.lastMs[series] = in.readLong();
    slots.wholeFromMs[series] = in.readLong();
    double pdp = in.readDouble();
    long pdpKnownMs = in.readLong();
    if (sameStep) {
      slots.pdp[series] = pdp;
      slots.pdpKnownMs[series] = pdpKnownMs;
    }
    for (int place : places) {
      double value = in.readDouble();
      long knownMs = in.readLong();
      long toldMs = in.readLong();
      if (place >= 0 && sameStep) {
        slots.open[place].value[series] = value;
        slots.open[place].knownMs[series] = knownMs;
        slots.open[place].toldMs[series] = toldMs;
      }
    }
  }
}
