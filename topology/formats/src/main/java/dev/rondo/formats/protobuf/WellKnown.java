package dev.rondo.formats.protobuf;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.rondo.formats.mapping.DecimalNumber;
import dev.rondo.formats.mapping.Shape.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;

/** Scalar message types of Google and Confluent. */
final class WellKnown {
  private static final String TIMESTAMP = "google.protobuf.Timestamp";
  private static final String DURATION = "google.protobuf.Duration";
  private static final String DATE = "google.type.Date";
  private static final String DECIMAL = "confluent.type.Decimal";
  private static final double NANOS = 1e9;

  private static final Map<String, Kind> KINDS =
      Map.ofEntries(
          Map.entry(TIMESTAMP, Kind.TIME),
          Map.entry(DATE, Kind.TIME),
          Map.entry(DURATION, Kind.NUMBER),
          Map.entry(DECIMAL, Kind.NUMBER),
          Map.entry("google.protobuf.DoubleValue", Kind.NUMBER),
          Map.entry("google.protobuf.FloatValue", Kind.NUMBER),
          Map.entry("google.protobuf.Int64Value", Kind.NUMBER),
          Map.entry("google.protobuf.UInt64Value", Kind.NUMBER),
          Map.entry("google.protobuf.Int32Value", Kind.NUMBER),
          Map.entry("google.protobuf.UInt32Value", Kind.NUMBER),
          Map.entry("google.protobuf.BoolValue", Kind.BOOLEAN),
          Map.entry("google.protobuf.StringValue", Kind.TEXT));

  private WellKnown() {}

  static boolean isScalar(Descriptor type) {
    return KINDS.containsKey(type.getFullName());
  }

  /** Returns the kind of a scalar type; null for other types. */
  static Kind kind(Descriptor type) {
    return KINDS.get(type.getFullName());
  }

  /** Returns the value: a duration in seconds, an invalid time or date as text. */
  static Object scalar(Message message) {
    Descriptor type = message.getDescriptorForType();
    FieldDescriptor firstField = type.findFieldByNumber(1);
    Object first = Unsigned.number(firstField, message.getField(firstField));
    switch (type.getFullName()) {
      case TIMESTAMP -> {
        try {
          return Instant.ofEpochSecond((long) first, number(message, 2));
        } catch (DateTimeException | ArithmeticException e) {
          return first + " s";
        }
      }
      case DATE -> {
        return date((int) first, number(message, 2), number(message, 3));
      }
      case DURATION -> {
        return (long) first + number(message, 2) / NANOS;
      }
      case DECIMAL -> {
        ByteString unscaled = (ByteString) first;
        return unscaled.isEmpty()
            ? BigDecimal.ZERO
            : DecimalNumber.of(
                new BigDecimal(new BigInteger(unscaled.toByteArray()), number(message, 3)));
      }
      default -> {
        return first;
      }
    }
  }

  private static Object date(int year, int month, int day) {
    try {
      return LocalDate.of(year, month, day).atStartOfDay().toInstant(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      return "%d-%d-%d".formatted(year, month, day);
    }
  }

  private static int number(Message message, int field) {
    return (int) message.getField(message.getDescriptorForType().findFieldByNumber(field));
  }
}
