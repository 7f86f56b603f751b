package dev.rondo.topology.drops;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.rondo.formats.DropReason;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Collection;
import java.util.OptionalLong;

/**
 * Writes {@link Drops} as JSON: for each reason the total since the start and the series dropped
 * last, newest first. Each time has two members: {@code …_ms} is epoch ms, the other ISO 8601 in
 * UTC. Unknown members are omitted.
 */
public final class DropsJson {
  private static final JsonFactory JSON = new JsonFactory();

  private DropsJson() {}

  /** Writes these reasons, in this order. */
  public static String of(Drops drops, Collection<DropReason> reasons) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text).useDefaultPrettyPrinter()) {
      json.writeStartObject();
      for (DropReason reason : reasons) {
        json.writeObjectFieldStart(reason.key());
        json.writeNumberField("total", drops.total(reason));
        json.writeArrayFieldStart("series");
        for (RecentDrop recent : drops.newestFirst(reason)) {
          write(json, recent);
        }
        json.writeEndArray();
        json.writeEndObject();
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen in memory
    }
    return text.append('\n').toString();
  }

  private static void write(JsonGenerator json, RecentDrop recent) throws IOException {
    Drop last = recent.last();
    json.writeStartObject();
    writeText(json, "ident", last.ident());
    json.writeNumberField("points", recent.points());
    writeTime(json, "time", last.tMs());
    writeTime(json, "previous", last.previousMs());
    writeTime(json, "seen", OptionalLong.of(recent.seenMs()));
    writeText(json, "detail", last.detail());
    if (last.record() != null) {
      json.writeStringField("topic", last.record().topic());
      json.writeNumberField("partition", last.record().partition());
      json.writeNumberField("offset", last.record().offset());
    }
    json.writeEndObject();
  }

  private static void writeText(JsonGenerator json, String name, String text) throws IOException {
    if (text != null) {
      json.writeStringField(name, text);
    }
  }

  private static void writeTime(JsonGenerator json, String name, OptionalLong ms)
      throws IOException {
    if (ms.isPresent()) {
      json.writeStringField(name, Instant.ofEpochMilli(ms.getAsLong()).toString());
      json.writeNumberField(name + "_ms", ms.getAsLong());
    }
  }
}
