package dev.rondo.formats.prometheus;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import com.google.protobuf.CodedInputStream;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.RecordLimits;
import java.io.IOException;
import java.util.Set;
import org.xerial.snappy.Snappy;

/**
 * Decompresses the protobuf message of a record, which is plain (Mimir), a snappy block (Telegraf,
 * vmagent) or a zstd frame (vmagent to VictoriaMetrics). Holds one message at a time.
 */
final class Message {
  private static final int MAX_KEPT_BYTES = 1024 * 1024;
  private static final byte TIMESERIES = 0x0a;
  private static final Set<Byte> OTHER_FIELDS =
      Set.of((byte) 0x10, (byte) 0x1a, (byte) 0x22, (byte) 0x2a);

  /** A snappy block takes at least 3 bytes for each 64 of the message. */
  private static final int MAX_SNAPPY_RATIO = 64 / 3 + 1;

  private static final byte[] ZSTD_MAGIC = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd};

  private final RecordLimits limits;
  private byte[] kept = {};
  private byte[] bytes;
  private int length;

  Message(RecordLimits limits) {
    this.limits = limits;
  }

  /**
   * @throws DroppedException if it is not a message, or larger than the limit
   */
  void read(byte[] value) throws DroppedException {
    if (isPlain(value)) {
      bytes = value;
      length = value.length;
    } else if (isZstd(value)) {
      readZstd(value);
    } else {
      readSnappy(value);
    }
  }

  /** Fields of the message. */
  CodedInputStream stream() {
    return CodedInputStream.newInstance(bytes, 0, length);
  }

  /** Length of the message, bytes. */
  int length() {
    return length;
  }

  /**
   * Whether the record is a plain message. A snappy block begins with its uncompressed length. If
   * that byte looks like the first field of a message, either the length is 10, too short for a
   * series, or all fields are checked.
   */
  private static boolean isPlain(byte[] value) {
    if (value.length == 0 || value[0] == TIMESERIES) {
      return true;
    }
    return OTHER_FIELDS.contains(value[0]) && isWhole(value);
  }

  private static boolean isWhole(byte[] value) {
    CodedInputStream in = CodedInputStream.newInstance(value);
    try {
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        Fields.skip(in, tag);
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isZstd(byte[] value) {
    for (int at = 0; at < ZSTD_MAGIC.length; at++) {
      if (at == value.length || value[at] != ZSTD_MAGIC[at]) {
        return false;
      }
    }
    return true;
  }

  private void readZstd(byte[] value) throws DroppedException {
    ensureCapacity(Zstd.getFrameContentSize(value), "zstd");
    try {
      long read = Zstd.decompressByteArray(bytes, 0, length, value, 0, value.length);
      if (read != length) {
        throw DroppedException.unreadable("zstd frame of %d bytes, not %d".formatted(read, length));
      }
    } catch (ZstdException e) {
      throw DroppedException.unreadable("zstd frame cannot be read: " + e.getMessage());
    }
  }

  private void readSnappy(byte[] value) throws DroppedException {
    try {
      long claimed = Snappy.uncompressedLength(value);
      limits.checkBytes("snappy", claimed);
      if (claimed > (long) MAX_SNAPPY_RATIO * value.length) {
        throw notAMessage(value);
      }
      ensureCapacity(claimed, "snappy");
      Snappy.uncompress(value, 0, value.length, bytes, 0);
    } catch (IOException e) {
      throw notAMessage(value);
    }
  }

  private static DroppedException notAMessage(byte[] value) {
    return DroppedException.unreadable(
        "neither a WriteRequest nor a snappy block: '%s'"
            .formatted(Excerpt.of(value, 0, value.length)));
  }

  /** Checks the length that the sender claims before allocating memory for it. */
  private void ensureCapacity(long claimed, String compression) throws DroppedException {
    if (claimed < 0) {
      throw DroppedException.unreadable(compression + " of unknown length");
    }
    limits.checkBytes(compression, claimed);
    length = (int) claimed;
    if (length <= kept.length) {
      bytes = kept;
    } else {
      bytes = new byte[Math.max(length, Math.min(2 * kept.length, MAX_KEPT_BYTES))];
      kept = bytes.length <= MAX_KEPT_BYTES ? bytes : kept;
    }
  }
}
