package dev.rondo.topology.archive;

import java.nio.ByteBuffer;

/** Serializes the open slots of a single series, as briefly as possible. */
public final class SeriesBytes {
  private SeriesBytes() {}

  /** Serializes the only series of {@code slots}. */
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

  /** Restores {@code slots}, whatever they contained before. */
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
