package dev.rondo.formats.otlp;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.PointSink;
import io.opentelemetry.proto.metrics.v1.MetricsData;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Reads consecutive JSON documents of {@code MetricsData}, as in a Collector's file or a dead
 * letter. A document that is not JSON is dropped up to the next line that begins with <code>{
 * </code>.
 *
 * <p>Uses Jackson because it reports the byte range of a document and enforces limits. Protobuf's
 * {@code JsonFormat} does neither, and reads OTLP's hexadecimal ids as base64.
 */
final class JsonDocuments {
  /** Levels of objects and arrays; a list in an attribute takes four. */
  private static final int DEEPEST = 200;

  private static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES) // a sender may use any number of names
          .disable(JsonFactory.Feature.CHARSET_DETECTION) // interchanged JSON is UTF-8 (RFC 8259)
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
          .build();

  /** Receives the content of a document; returns whether it had a point or a drop. */
  @FunctionalInterface
  interface DocumentSink {
    boolean document(MetricsData data, int from, int to);
  }

  private final JsonMessages messages = new JsonMessages();

  /** Whether the first document has metrics. */
  static boolean holdsMetrics(byte[] value) {
    try (JsonParser json = JSON.createParser(value)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        boolean isMetrics = JsonMessages.isMetrics(json.currentName());
        if (json.nextToken() == JsonToken.START_ARRAY && isMetrics) {
          return true;
        }
        json.skipChildren();
      }
      return false;
    } catch (IOException e) {
      return false;
    }
  }

  /** Emits every document; drops anything else, and invalid parts, to {@code drops}. */
  void read(byte[] value, PointSink drops, DocumentSink documents) {
    int from = 0;
    while (from < value.length) {
      from = readWhileJson(value, from, drops, documents);
    }
  }

  /** Reads one document; returns the offset to continue from. */
  private int readWhileJson(byte[] value, int start, PointSink drops, DocumentSink documents) {
    int from = start;
    try (JsonParser json = JSON.createParser(value, start, value.length - start)) {
      while (json.nextToken() != null) {
        from = start + offset(json.currentTokenLocation());
        readOne(json, from, start, drops, documents);
        from = start + offset(json.currentLocation());
      }
      return value.length;
    } catch (JsonProcessingException e) {
      int next = nextLine(value, from, start + offset(e.getLocation()));
      drops.drop(DropReason.UNREADABLE, "not JSON: " + e.getOriginalMessage(), from, next);
      return next;
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen: reads from memory
    }
  }

  private void readOne(
      JsonParser json, int from, int start, PointSink drops, DocumentSink documents)
      throws IOException {
    MetricsData data = MetricsData.getDefaultInstance();
    try {
      data = messages.metrics(json);
    } catch (DroppedException e) {
      messages.faults().add(e.getMessage());
    }
    int to = start + offset(json.currentLocation());
    for (String fault : messages.faults()) {
      drops.drop(DropReason.UNREADABLE, fault, from, to);
    }
    if (!documents.document(data, from, to) && messages.faults().isEmpty()) {
      drops.drop(DropReason.UNSUPPORTED, OtlpDecoder.NO_DATA_POINT, from, to);
    }
  }

  private static int offset(JsonLocation location) {
    return location == null ? 0 : (int) location.getByteOffset();
  }

  /**
   * Returns the offset of the next line that begins with a brace, after {@code from} and near the
   * fault.
   */
  private static int nextLine(byte[] value, int from, int faultAt) {
    for (int at = Math.max(from + 1, faultAt - 1); at < value.length; at++) {
      if (value[at] == '{' && value[at - 1] == '\n') {
        return at;
      }
    }
    return value.length;
  }
}
