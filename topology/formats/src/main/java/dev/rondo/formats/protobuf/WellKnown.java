package dev.rondo.formats.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Message;
import dev.rondo.formats.mapping.Shape.Kind;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;

/** Google's message types that are scalars. */
final class WellKnown {
  private static final String TIMESTAMP = "google.protobuf.Timestamp";
  private static final String DURATION = "google.protobuf.Duration";
  private static final double NANOS = 1e9;

  private static final Map<String, Kind> KINDS =
      Map.of(
          TIMESTAMP,
          Kind.TIME,
          DURATION,
          Kind.NUMBER,
          "google.protobuf.DoubleValue",
          Kind.NUMBER,
          "google.protobuf.FloatValue",
          Kind.NUMBER,
          "google.protobuf.Int64Value",
          Kind.NUMBER,
          "google.protobuf.UInt64Value",
          Kind.NUMBER,
          "google.protobuf.Int32Value",
          Kind.NUMBER,
          "google.protobuf.UInt32Value",
          Kind.NUMBER,
          "google.protobuf.BoolValue",
          Kind.BOOLEAN,
          "google.protobuf.StringValue",
          Kind.TEXT);

  private WellKnown() {}

  static boolean isScalar(Descriptor type) {
    return KINDS.containsKey(type.getFullName());
  }

  /** Its kind; null if it is another message. */
  static Kind kind(Descriptor type) {
    return KINDS.get(type.getFullName());
  }

  /** Its value; a duration in seconds; a time that no calendar has as a text. */
  static Object scalar(Message message) {
    Descriptor type = message.getDescriptorForType();
    Object first = message.getField(type.findFieldByNumber(1));
    switch (type.getFullName()) {
      case TIMESTAMP -> {
        try {
          return Instant.ofEpochSecond((long) first, nanos(message));
        } catch (DateTimeException | ArithmeticException e) {
          return first + " s";
        }
      }
      case DURATION -> {
        return (long) first + nanos(message) / NANOS;
      }
      default -> {
        return first;
      }
    }
  }

  private static int nanos(Message message) {
    return (int) message.getField(message.getDescriptorForType().findFieldByNumber(2));
  }
}
