package dev.rondo.formats.metrictank;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** Writes messages like metrictank's schema package, and malformed ones. */
public final class Messages {
  private Messages() {}

  /** A series as in MetricData: organisation 1, every 10 s, a gauge of unit "unknown". */
  public record Sent(String name, List<String> tags) {
    /** The text that its id is a hash of. */
    public byte[] id() {
      StringBuilder text = new StringBuilder(name).append("\0unknown\0gauge\00010");
      tags.stream().sorted().forEach(tag -> text.append('\0').append(tag));
      try {
        return MessageDigest.getInstance("MD5")
            .digest(text.toString().getBytes(StandardCharsets.UTF_8));
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    }

    private String idText() {
      return "1." + java.util.HexFormat.of().formatHex(id());
    }

    /** MetricData as Go's msgp writes it. */
    public byte[] data(double value, int timeS) {
      return packed(
          to -> {
            to.packMapHeader(9);
            to.packString("Id").packString(idText());
            to.packString("OrgId").packInt(1);
            to.packString("Name").packString(name);
            to.packString("Interval").packInt(10);
            to.packString("Value").packDouble(value);
            to.packString("Unit").packString("unknown");
            to.packString("Time").packInt(timeS);
            to.packString("Mtype").packString("gauge");
            to.packString("Tags").packArrayHeader(tags.size());
            for (String tag : tags) {
              to.packString(tag);
            }
          });
    }

    /** MetricPoint: 33 bytes. */
    public byte[] point(double value, int timeS) {
      return little(33).put((byte) 2).put(body(value, timeS)).putInt(1).array();
    }

    /** MetricPoint without organisation: 29 bytes. */
    public byte[] pointWithoutOrganisation(double value, int timeS) {
      return little(29).put((byte) 3).put(body(value, timeS)).array();
    }

    byte[] body(double value, int timeS) {
      return little(28).put(id()).putDouble(value).putInt(timeS).array();
    }
  }

  interface Packed {
    void to(MessageBufferPacker packer) throws IOException;
  }

  static byte[] packed(Packed packed) {
    try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
      packed.to(packer);
      return packer.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An array of MetricData after the format byte and a time. */
  static byte[] array(byte[]... data) {
    byte[] header = packed(to -> to.packArrayHeader(data.length));
    return joined(new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 7}, header, joined(data));
  }

  static byte[] json(String array) {
    return joined(new byte[9], array.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] joined(byte[]... pieces) {
    int length = 0;
    for (byte[] piece : pieces) {
      length += piece.length;
    }
    ByteBuffer all = ByteBuffer.allocate(length);
    for (byte[] piece : pieces) {
      all.put(piece);
    }
    return all.array();
  }

  private static ByteBuffer little(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
