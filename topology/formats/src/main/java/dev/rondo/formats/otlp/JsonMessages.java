package dev.rondo.formats.otlp;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.rondo.formats.DroppedException;
import io.opentelemetry.proto.metrics.v1.MetricsData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Converts one JSON document to {@code MetricsData} by the fields of the protobuf definition.
 * Accepts names in either spelling ({@code dataPoints}, {@code data_points}); ignores null and
 * unknown fields. A data point, metric, scope or resource with an invalid value is one fault, and
 * its neighbours are kept.
 */
final class JsonMessages {
  /** Lists whose elements can be invalid independently. */
  private static final Set<String> DROPPED_ALONE =
      Set.of("resource_metrics", "scope_metrics", "metrics", "data_points");

  /** Skipped: they are not stored, and their ids are hexadecimal, unlike all other bytes. */
  private static final String EXEMPLARS = "exemplars";

  private static final Map<Descriptor, Map<String, FieldDescriptor>> FIELDS =
      new ConcurrentHashMap<>();

  private final List<String> faults = new ArrayList<>();

  static boolean isMetrics(String name) {
    return fields(MetricsData.getDescriptor()).containsKey(name);
  }

  /** Faults of the last document. */
  List<String> faults() {
    return faults;
  }

  /**
   * Reads the document that begins at the parser's current token, up to its last token.
   *
   * @throws DroppedException if it holds no metrics at all
   * @throws IOException if it is not JSON
   */
  MetricsData metrics(JsonParser json) throws IOException, DroppedException {
    faults.clear();
    JsonStreamContext begun = json.getParsingContext();
    JsonStreamContext root =
        begun.inRoot() ? begun : begun.getParent(); // a number opens no context
    MetricsData.Builder data = MetricsData.newBuilder();
    try {
      message(json, data);
    } catch (DroppedException e) {
      leave(json, root);
      throw e;
    }
    if (data.getResourceMetricsCount() == 0 && faults.isEmpty()) {
      throw DroppedException.unreadable("no resourceMetrics, so not OpenTelemetry metrics");
    }
    return data.build();
  }

  private void message(JsonParser json, Message.Builder into) throws IOException, DroppedException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      throw JsonScalars.fault(json, "an object", into.getDescriptorForType().getName());
    }
    Map<String, FieldDescriptor> fields = fields(into.getDescriptorForType());
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      FieldDescriptor field = fields.get(json.currentName());
      JsonToken token = json.nextToken();
      if (field == null || token == JsonToken.VALUE_NULL) {
        json.skipChildren();
      } else if (field.isRepeated()) {
        list(json, field, into);
      } else {
        into.setField(field, value(json, field, into));
      }
    }
  }

  private void list(JsonParser json, FieldDescriptor field, Message.Builder into)
      throws IOException, DroppedException {
    if (json.currentToken() != JsonToken.START_ARRAY) {
      throw JsonScalars.fault(json, "a list", field.getName());
    }
    JsonStreamContext list = json.getParsingContext();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      try {
        into.addRepeatedField(field, value(json, field, into));
      } catch (DroppedException e) {
        if (!DROPPED_ALONE.contains(field.getName())) {
          throw e;
        }
        faults.add(e.getMessage());
        leave(json, list);
      }
    }
  }

  /** Skips everything that is open inside {@code outer}, which stays open. */
  private static void leave(JsonParser json, JsonStreamContext outer) throws IOException {
    boolean hasMore = true;
    while (hasMore && json.getParsingContext() != outer) {
      hasMore = json.nextToken() != null;
    }
  }

  private Object value(JsonParser json, FieldDescriptor field, Message.Builder into)
      throws IOException, DroppedException {
    if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
      Message.Builder child = into.newBuilderForField(field);
      message(json, child);
      return child.build();
    }
    return JsonScalars.value(json, field);
  }

  private static Map<String, FieldDescriptor> fields(Descriptor message) {
    return FIELDS.computeIfAbsent(message, JsonMessages::byEitherName);
  }

  private static Map<String, FieldDescriptor> byEitherName(Descriptor message) {
    Map<String, FieldDescriptor> fields = new HashMap<>();
    for (FieldDescriptor field : message.getFields()) {
      if (!field.getName().equals(EXEMPLARS)) {
        fields.put(field.getName(), field);
        fields.put(field.getJsonName(), field);
      }
    }
    return fields;
  }
}
