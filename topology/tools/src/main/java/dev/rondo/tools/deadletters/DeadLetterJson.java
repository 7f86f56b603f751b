package dev.rondo.tools.deadletters;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.rondo.tools.deadletters.read.DeadLetter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import org.apache.kafka.common.header.Header;

/**
 * Writes a dead letter as one JSON object on one line; bytes are base64, {@code …_ms} is epoch ms.
 */
final class DeadLetterJson {
  private static final JsonFactory JSON = new JsonFactory();

  private DeadLetterJson() {}

  static String line(DeadLetter deadLetter, boolean isSent) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeNumberField("partition", deadLetter.location().partition());
      json.writeNumberField("offset", deadLetter.location().offset());
      writeTime(json, "time", deadLetter.timeMs());
      json.writeStringField("reason", deadLetter.reason());
      json.writeStringField("detail", deadLetter.detail());
      json.writeNumberField("count", deadLetter.count());
      json.writeObjectFieldStart("source");
      json.writeStringField("topic", deadLetter.source().topic());
      json.writeNumberField("partition", deadLetter.source().partition());
      json.writeNumberField("offset", deadLetter.source().offset());
      writeTime(json, "written", deadLetter.writtenMs());
      json.writeEndObject();
      json.writeNumberField("resent", deadLetter.resent());
      json.writeBooleanField("sent", isSent);
      json.writeNumberField("bytes", deadLetter.bytes());
      writeBytes(json, "key", deadLetter.key());
      writeBytes(json, "value", deadLetter.value());
      json.writeArrayFieldStart("headers");
      for (Header header : deadLetter.ownHeaders()) {
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
