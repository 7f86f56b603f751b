package dev.rondo.formats.metrictank;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.rondo.formats.metrictank.MetricData.Field;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Reads MetricData from a JSON array of objects; throws IOException if it is not JSON. */
final class JsonReader implements AutoCloseable {
  private static final JsonFactory JSON = new JsonFactory();

  private final JsonParser in;

  /** Reads {@code bytes} after a header. */
  JsonReader(byte[] bytes, int headerBytes) throws IOException {
    int from = Math.min(headerBytes, bytes.length);
    in = JSON.createParser(bytes, from, bytes.length - from);
    if (in.nextToken() != JsonToken.START_ARRAY) {
      throw new IOException("not an array");
    }
  }

  /** Reads the next element; false at the end. An element that is not an object reads as empty. */
  boolean read(MetricData data) throws IOException {
    data.clear();
    JsonToken token = in.nextToken();
    if (token == null || token == JsonToken.END_ARRAY) {
      return false;
    }
    if (token != JsonToken.START_OBJECT) {
      in.skipChildren();
      return true;
    }
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      byte[] key = in.currentName().getBytes(StandardCharsets.UTF_8);
      in.nextToken();
      readContent(Field.of(key, key.length), data);
    }
    return true;
  }

  private void readContent(Field field, MetricData data) throws IOException {
    switch (in.currentToken()) {
      case VALUE_STRING -> data.put(field, in.getText());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> data.put(field, in.getDoubleValue());
      case START_ARRAY -> readTexts(field, data);
      default -> in.skipChildren();
    }
  }

  /** Reads the tags; anything but text becomes an empty, invalid tag. */
  private void readTexts(Field field, MetricData data) throws IOException {
    for (JsonToken token = in.nextToken(); isWithin(token); token = in.nextToken()) {
      data.put(field, token == JsonToken.VALUE_STRING ? in.getText() : "");
      in.skipChildren();
    }
  }

  private static boolean isWithin(JsonToken token) {
    return token != null && token != JsonToken.END_ARRAY;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
