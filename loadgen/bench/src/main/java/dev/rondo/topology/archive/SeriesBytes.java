package dev.rondo.topology.archive;

import java.nio.ByteBuffer;

/** The open slots of a single series as bytes, as short as they can be read and written. */
public final class SeriesBytes {
  private SeriesBytes() {}

  /** Bytes of the one series of {@code slots}. */
  public static byte[] write(OpenSlots slots) {
    int longs = 3 + 3 * slots.open.length;
    ByteBuffer out = ByteBuffer.allocate(longs * Long.BYTES);
    out.putLong(slots.lastMs[0]).putDouble(slots.pdp[0]).putLong(slots.pdpKnownMs[0]);
    for (OpenSlots.OpenArchive archive : slots.open) {
      out.putDouble(archive.value[0])
          .putLong(archive.knownMs[0])
          .putLong(archive.emittedKnownMs[0]);
    }
    return out.array();
  }

  /** Reads them back into {@code slots}, whatever these held before. */
  public static void read(byte[] bytes, OpenSlots slots) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    slots.lastMs[0] = in.getLong();
    slots.pdp[0] = in.getDouble();
    slots.pdpKnownMs[0] = in.getLong();
    for (OpenSlots.OpenArchive archive : slots.open) {
      archive.value[0] = in.getDouble();
      archive.knownMs[0] = in.getLong();
      archive.emittedKnownMs[0] = in.getLong();
    }
  }
}
