package dev.rondo.formats.metrictank;

import dev.rondo.formats.metrictank.MetricData.Field;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.msgpack.core.MessageFormat;
import org.msgpack.core.MessageInsufficientBufferException;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePackException;
import org.msgpack.core.MessageUnpacker;

/**
 * Reads MetricData from msgpack: a map in any order, possibly with other fields, numbers of any
 * width. A field of another type counts as absent. Bytes that are not msgpack throw IOException or
 * {@link MessagePackException}.
 */
final class MsgpackReader {
  private static final int LONGEST_KEY = 16;

  private final byte[] bytes;
  private final int from;
  private final MessageUnpacker in;
  private final byte[] key = new byte[LONGEST_KEY];

  /** Reads {@code bytes} after a header. */
  MsgpackReader(byte[] bytes, int headerBytes) {
    this.bytes = bytes;
    this.from = Math.min(headerBytes, bytes.length);
    this.in = MessagePack.newDefaultUnpacker(bytes, from, bytes.length - from);
  }

  /** Current offset in the bytes. */
  int at() {
    return from + (int) in.getTotalReadBytes();
  }

  /** Enters an array; returns the number of elements that it claims. */
  int enterArray() throws IOException {
    return in.unpackArrayHeader();
  }

  /** Reads the next map. */
  void read(MetricData data) throws IOException {
    data.clear();
    int fields = in.unpackMapHeader();
    for (int n = 0; n < fields; n++) {
      readContent(readField(), data);
    }
  }

  private Field readField() throws IOException {
    if (!in.getNextFormat().getValueType().isStringType()) {
      in.skipValue();
      return Field.OTHER;
    }
    int length = enterText();
    if (length > LONGEST_KEY) {
      in.readPayloadAsReference(length);
      return Field.OTHER;
    }
    in.readPayload(key, 0, length);
    return Field.of(key, length);
  }

  private void readContent(Field field, MetricData data) throws IOException {
    if (field == Field.OTHER) {
      in.skipValue();
      return;
    }
    switch (in.getNextFormat().getValueType()) {
      case STRING -> data.put(field, readText());
      case FLOAT -> data.put(field, in.unpackDouble());
      case INTEGER -> data.put(field, readInteger());
      case ARRAY -> readTexts(field, data);
      default -> in.skipValue();
    }
  }

  private double readInteger() throws IOException {
    return in.getNextFormat() == MessageFormat.UINT64
        ? in.unpackBigInteger().doubleValue()
        : in.unpackLong();
  }

  /** Reads the tags; anything but text becomes an empty, invalid tag. */
  private void readTexts(Field field, MetricData data) throws IOException {
    int texts = in.unpackArrayHeader();
    for (int n = 0; n < texts; n++) {
      if (in.getNextFormat().getValueType().isStringType()) {
        data.put(field, readText());
      } else {
        in.skipValue();
        data.put(field, "");
      }
    }
  }

  private String readText() throws IOException {
    return new String(in.readPayload(enterText()), StandardCharsets.UTF_8);
  }

  /** Checks the length that the sender claims before allocating memory for it. */
  private int enterText() throws IOException {
    int length = in.unpackRawStringHeader();
    if (length > bytes.length - at()) {
      throw new MessageInsufficientBufferException();
    }
    return length;
  }
}
