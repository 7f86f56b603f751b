package dev.rondo.formats.otlp;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import java.io.IOException;
import java.util.Base64;

/**
 * Parses scalars of OTLP's JSON: 64-bit numbers with or without quotes, enums by number (as in
 * OTLP) or name, bytes in base64, and {@code "NaN"}, {@code "Infinity"}, {@code "-Infinity"}.
 */
final class JsonScalars {
  private static final long MAX_UINT32 = 0xffff_ffffL;
  private static final double EXACT_BELOW = 1L << 53;

  private JsonScalars() {}

  /**
   * Converts the parser's token to a value of the field.
   *
   * @throws DroppedException if the token does not fit the field
   */
  static Object value(JsonParser json, FieldDescriptor field) throws IOException, DroppedException {
    if (!isOf(field.getJavaType(), json.currentToken())) {
      throw fault(json, "a value of type " + field.getType(), field.getName());
    }
    try {
      return switch (field.getJavaType()) {
        case STRING -> json.getText();
        case BOOLEAN -> json.getBooleanValue();
        case LONG -> integer(json, isUnsigned(field));
        case INT -> narrowed(integer(json, isUnsigned(field)), isUnsigned(field));
        case FLOAT, DOUBLE -> real(json);
        case ENUM -> constant(json, field.getEnumType());
        case BYTE_STRING -> ByteString.copyFrom(Base64.getDecoder().decode(json.getText()));
        case MESSAGE -> throw new IllegalArgumentException("no scalar: " + field.getFullName());
      };
    } catch (NumberFormatException e) {
      throw fault(json, "a number in its range", field.getName());
    } catch (IllegalArgumentException e) {
      throw fault(json, "base64", field.getName());
    }
  }

  private static boolean isOf(FieldDescriptor.JavaType type, JsonToken token) {
    return switch (type) {
      case STRING, BYTE_STRING -> token == JsonToken.VALUE_STRING;
      case BOOLEAN -> token.isBoolean();
      default -> token.isNumeric() || token == JsonToken.VALUE_STRING;
    };
  }

  private static double real(JsonParser json) throws IOException {
    return json.currentToken().isNumeric()
        ? json.getDoubleValue()
        : Double.parseDouble(json.getText());
  }

  private static boolean isUnsigned(FieldDescriptor field) {
    return switch (field.getType()) {
      case UINT32, UINT64, FIXED32, FIXED64 -> true;
      default -> false;
    };
  }

  private static long integer(JsonParser json, boolean isUnsigned) throws IOException {
    if (json.currentToken() == JsonToken.VALUE_NUMBER_FLOAT) {
      return whole(json.getDoubleValue());
    }
    String text = json.getText();
    return isUnsigned ? Long.parseUnsignedLong(text) : Long.parseLong(text);
  }

  /** Parses an integer; Protobuf's JSON allows 1e3 for 1000. */
  private static long whole(double number) {
    if (number != Math.rint(number) || Math.abs(number) >= EXACT_BELOW) {
      throw new NumberFormatException("not whole: " + number);
    }
    return (long) number;
  }

  private static int narrowed(long number, boolean isUnsigned) {
    if (isUnsigned ? number < 0 || number > MAX_UINT32 : number != (int) number) {
      throw new NumberFormatException("not of 32 bits: " + number);
    }
    return (int) number;
  }

  private static EnumValueDescriptor constant(JsonParser json, EnumDescriptor type)
      throws IOException {
    if (json.currentToken() == JsonToken.VALUE_STRING) {
      EnumValueDescriptor named = type.findValueByName(json.getText());
      if (named != null) {
        return named;
      }
    }
    return type.findValueByNumberCreatingIfUnknown(narrowed(integer(json, false), false));
  }

  /** Returns an exception that names the value found and what was expected. */
  static DroppedException fault(JsonParser json, String expected, String name) throws IOException {
    String found = Excerpt.of(json.currentToken().isScalarValue() ? json.getText() : "…");
    return DroppedException.unreadable(
        "%s is not %s: '%s'".formatted(name, expected, found.replaceAll("\\p{Cntrl}", "?")));
  }
}
