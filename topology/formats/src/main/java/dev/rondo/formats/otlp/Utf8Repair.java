package dev.rondo.formats.otlp;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import io.opentelemetry.proto.metrics.v1.MetricsData;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Repairs strings that are not UTF-8: replaces their bytes above 0x7f by {@code ?} and parses the
 * message again. Protobuf for Java rejects the whole message, but the Collector and several SDKs do
 * not check, so one odd process name would cost thousands of points.
 */
final class Utf8Repair {
  /** Protobuf's own nesting limit. */
  private static final int DEEPEST = 100;

  private Utf8Repair() {}

  /**
   * @throws InvalidProtocolBufferException if it is not such a message
   */
  static MetricsData parse(byte[] value) throws InvalidProtocolBufferException {
    try {
      return MetricsData.parseFrom(value);
    } catch (InvalidProtocolBufferException e) {
      byte[] repaired = value.clone();
      if (!repair(repaired)) {
        throw e;
      }
      return MetricsData.parseFrom(repaired);
    }
  }

  /** Repairs the bytes in place; returns whether there was anything to repair. */
  private static boolean repair(byte[] value) throws InvalidProtocolBufferException {
    try {
      CodedInputStream in = CodedInputStream.newInstance(value);
      return repair(in, MetricsData.getDescriptor(), value, 0);
    } catch (InvalidProtocolBufferException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen: reads from memory
    }
  }

  private static boolean repair(CodedInputStream in, Descriptor message, byte[] value, int depth)
      throws IOException {
    boolean isRepaired = false;
    while (!in.isAtEnd()) {
      int tag = in.readTag();
      if (WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        in.skipField(tag);
        continue;
      }
      int bytes = in.readRawVarint32();
      FieldDescriptor field = message.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
      if (isOf(field, FieldDescriptor.Type.MESSAGE) && depth < DEEPEST) {
        int limit = in.pushLimit(bytes);
        isRepaired |= repair(in, field.getMessageType(), value, depth + 1);
        in.popLimit(limit);
      } else {
        int from = in.getTotalBytesRead();
        in.skipRawBytes(bytes);
        isRepaired |= isOf(field, FieldDescriptor.Type.STRING) && repairText(value, from, bytes);
      }
    }
    return isRepaired;
  }

  private static boolean isOf(FieldDescriptor field, FieldDescriptor.Type type) {
    return field != null && field.getType() == type;
  }

  private static boolean repairText(byte[] value, int from, int bytes) {
    if (UnsafeByteOperations.unsafeWrap(value, from, bytes).isValidUtf8()) {
      return false;
    }
    for (int at = from; at < from + bytes; at++) {
      if (value[at] < 0) {
        value[at] = '?';
      }
    }
    return true;
  }
}
