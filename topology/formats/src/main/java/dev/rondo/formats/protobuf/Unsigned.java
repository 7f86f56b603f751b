package dev.rondo.formats.protobuf;

import com.google.protobuf.Descriptors.FieldDescriptor;

/** Converts unsigned numbers, which Protobuf's Java library keeps in signed types. */
final class Unsigned {
  private Unsigned() {}

  static boolean is(FieldDescriptor field) {
    return switch (field.getType()) {
      case UINT32, FIXED32, UINT64, FIXED64 -> true;
      default -> false;
    };
  }

  /** Returns the number sent; other values unchanged. */
  static Object number(FieldDescriptor field, Object value) {
    if (!is(field)) {
      return value;
    }
    if (value instanceof Integer bits) {
      return Integer.toUnsignedLong(bits);
    }
    long bits = (long) value;
    return bits >= 0 ? (Object) bits : (Object) (((bits >>> 1) | (bits & 1)) * 2.0);
  }

  /** Returns the digits of a number, or the text of another value. */
  static String text(FieldDescriptor field, Object value) {
    return is(field) && value instanceof Long bits
        ? Long.toUnsignedString(bits)
        : number(field, value).toString();
  }
}
