package dev.rondo.formats.otlp;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Base64;

/**
 * Converts an attribute's value to text like the Collector's Prometheus exporter: numbers in
 * digits, lists and maps as JSON, bytes in base64, a missing value as empty text.
 */
final class AttributeText {
  private static final JsonFactory JSON = new JsonFactory();

  private AttributeText() {}

  static String of(AnyValue value) {
    return switch (value.getValueCase()) {
      case STRING_VALUE -> value.getStringValue();
      case BOOL_VALUE -> Boolean.toString(value.getBoolValue());
      case INT_VALUE -> Long.toString(value.getIntValue());
      case DOUBLE_VALUE -> NumberLabel.of(value.getDoubleValue());
      case BYTES_VALUE -> base64(value);
      case ARRAY_VALUE, KVLIST_VALUE -> json(value);
      case STRING_VALUE_STRINDEX, VALUE_NOT_SET -> "";
    };
  }

  private static String base64(AnyValue value) {
    return Base64.getEncoder().encodeToString(value.getBytesValue().toByteArray());
  }

  private static String json(AnyValue value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      write(json, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen: writes to memory
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, AnyValue value) throws IOException {
    switch (value.getValueCase()) {
      case STRING_VALUE -> json.writeString(value.getStringValue());
      case BOOL_VALUE -> json.writeBoolean(value.getBoolValue());
      case INT_VALUE -> json.writeNumber(value.getIntValue());
      case DOUBLE_VALUE -> json.writeNumber(value.getDoubleValue());
      case BYTES_VALUE -> json.writeString(base64(value));
      case ARRAY_VALUE -> {
        json.writeStartArray();
        for (AnyValue element : value.getArrayValue().getValuesList()) {
          write(json, element);
        }
        json.writeEndArray();
      }
      case KVLIST_VALUE -> {
        json.writeStartObject();
        for (KeyValue entry : value.getKvlistValue().getValuesList()) {
          json.writeFieldName(entry.getKey());
          write(json, entry.getValue());
        }
        json.writeEndObject();
      }
      case STRING_VALUE_STRINDEX, VALUE_NOT_SET -> json.writeNull();
    }
  }
}
