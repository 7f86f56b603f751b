package dev.rondo.topology.deletion;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rondo.schemas.Ident;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A request to delete series, the value of a record of {@code rondo.deletions} as JSON: {@code
 * {"by": "alice@ops1", "series": ["load;host=web01"]}}. The time of the record is that of the
 * deletion.
 *
 * @param by who asks, for the log
 * @param series canonical idents
 * @param silentSinceMs only series without a point after this time, epoch ms, are deleted; JSON:
 *     {@code silent_since_ms}
 */
public record DeletionRequest(String by, List<String> series, OptionalLong silentSinceMs) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String BY = "by";
  private static final String SERIES = "series";
  private static final String SILENT_SINCE = "silent_since_ms";

  public DeletionRequest {
    series = List.copyOf(series);
  }

  /**
   * Parses the value of a record.
   *
   * @throws IllegalArgumentException that says what is wrong
   */
  public static DeletionRequest parse(String json) {
    JsonNode root = members(json, List.of(BY, SERIES, SILENT_SINCE));
    JsonNode silentSince = root.path(SILENT_SINCE);
    if (!silentSince.isMissingNode() && !silentSince.canConvertToLong()) {
      throw new IllegalArgumentException(SILENT_SINCE + " is not a number of milliseconds");
    }
    return new DeletionRequest(
        root.path(BY).asText("unknown"),
        series(root.path(SERIES)),
        silentSince.isMissingNode() ? OptionalLong.empty() : OptionalLong.of(silentSince.asLong()));
  }

  /** The object of a record with no other members than {@code known}. */
  static JsonNode members(String json, List<String> known) {
    JsonNode root = read(json);
    if (!root.isObject()) {
      throw new IllegalArgumentException("not a JSON object");
    }
    root.fieldNames()
        .forEachRemaining(
            key -> {
              if (!known.contains(key)) {
                throw new IllegalArgumentException("unknown member '" + key + "'");
              }
            });
    return root;
  }

  static JsonNode read(String json) {
    try {
      return JSON.readTree(json == null ? "" : json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static List<String> series(JsonNode array) {
    if (!array.isArray()) {
      throw new IllegalArgumentException(SERIES + " is not a list of idents");
    }
    List<String> series = new ArrayList<>();
    for (JsonNode ident : array) {
      if (!ident.isTextual()) {
        throw new IllegalArgumentException(SERIES + " has a member that is no text: " + ident);
      }
      Ident.parse(ident.asText());
      series.add(ident.asText());
    }
    return series;
  }

  /** The value of a record. */
  public String json() {
    ObjectNode root = JSON.createObjectNode().put(BY, by);
    silentSinceMs.ifPresent(ms -> root.put(SILENT_SINCE, ms));
    series.forEach(root.putArray(SERIES)::add);
    return root.toString();
  }
}
