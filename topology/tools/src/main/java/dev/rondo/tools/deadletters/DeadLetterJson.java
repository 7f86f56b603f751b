package dev.rondo.tools.deadletters;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import org.apache.kafka.common.header.Header;

/** A letter as one JSON object on one line; bytes are base64, {@code …_ms} is epoch ms. */
final class DeadLetterJson {
  private static final JsonFactory JSON = new JsonFactory();

  private DeadLetterJson() {}

  static String line(DeadLetter letter, boolean isSent) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeNumberField("partition", letter.place().partition());
      json.writeNumberField("offset", letter.place().offset());
      writeTime(json, "time", letter.timeMs());
      json.writeStringField("reason", letter.reason());
      json.writeStringField("detail", letter.detail());
      json.writeNumberField("count", letter.count());
      json.writeObjectFieldStart("source");
      json.writeStringField("topic", letter.source().topic());
      json.writeNumberField("partition", letter.source().partition());
      json.writeNumberField("offset", letter.source().offset());
      writeTime(json, "written", letter.writtenMs());
      json.writeEndObject();
      json.writeNumberField("resent", letter.resent());
      json.writeBooleanField("sent", isSent);
      json.writeNumberField("bytes", letter.bytes());
      writeBytes(json, "key", letter.key());
      writeBytes(json, "value", letter.value());
      json.writeArrayFieldStart("headers");
      for (Header header : letter.ownHeaders()) {
        json.writeStartObject();
        json.writeStringField("name", header.key());
        writeBytes(json, "value", header.value());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // never: it writes to memory
    }
    return text.toString();
  }

  private static void writeTime(JsonGenerator json, String name, long ms) throws IOException {
    json.writeStringField(name, Instant.ofEpochMilli(ms).toString());
    json.writeNumberField(name + "_ms", ms);
  }

  private static void writeBytes(JsonGenerator json, String name, byte[] bytes) throws IOException {
    if (bytes == null) {
      json.writeNullField(name);
    } else {
      json.writeBinaryField(name, bytes);
    }
  }
}
