package dev.rondo.schemas.requests;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rondo.schemas.CreateSeries;
import dev.rondo.schemas.DeleteSeries;
import dev.rondo.schemas.NewSeries;
import dev.rondo.schemas.Rename;
import dev.rondo.schemas.RenameSeries;
import dev.rondo.schemas.SeriesRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The JSON of {@code rondo.series-requests}, defined by {@code messages/SeriesRequest.schema.json}.
 * The time of a request is that of its record.
 */
public final class RequestJson {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String BY = "by";
  private static final String SERIES = "series";
  private static final String SILENT_SINCE = "silent_since_ms";
  private static final String RENAMES = "renames";
  private static final String CREATES = "creates";
  private static final String POLICY = "policy";
  private static final String SOURCE = "source";
  private static final String FROM = "from_ms";
  private static final String UNTIL = "until_ms";

  private RequestJson() {}

  /**
   * Parses the value of a record.
   *
   * @param atMs time of the record, epoch ms
   * @throws IllegalArgumentException with the reason if it is invalid
   */
  public static SeriesRequest parse(String json, long atMs) {
    JsonNode root = object(json);
    Object request;
    if (root.has(RENAMES)) {
      request = renames(root);
    } else if (root.has(CREATES)) {
      request = creates(root);
    } else {
      request = deletes(root);
    }
    var parsed = new SeriesRequest(root.path(BY).asText("unknown"), atMs, request);
    RequestRules.check(parsed);
    return parsed;
  }

  /** Parses the value of a record; empty if it is invalid, so that the topology ignores it. */
  public static Optional<SeriesRequest> read(String json, long atMs) {
    try {
      return Optional.of(parse(json, atMs));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static JsonNode object(String json) {
    JsonNode root;
    try {
      root = JSON.readTree(json == null ? "" : json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
    }
    if (!root.isObject()) {
      throw new IllegalArgumentException("not a JSON object");
    }
    return root;
  }

  private static DeleteSeries deletes(JsonNode root) {
    checkMembers(root, List.of(BY, SERIES, SILENT_SINCE));
    JsonNode array = root.path(SERIES);
    if (!array.isArray()) {
      throw new IllegalArgumentException(SERIES + " is not a list of idents");
    }
    List<String> idents = new ArrayList<>(array.size());
    for (JsonNode ident : array) {
      idents.add(text(SERIES, ident));
    }
    JsonNode silentSince = root.path(SILENT_SINCE);
    if (!silentSince.isMissingNode() && !isTime(silentSince)) {
      throw new IllegalArgumentException(SILENT_SINCE + " is not a number of milliseconds");
    }
    return new DeleteSeries(idents, silentSince.isMissingNode() ? null : silentSince.asLong());
  }

  private static RenameSeries renames(JsonNode root) {
    checkMembers(root, List.of(BY, RENAMES));
    List<Rename> renames = new ArrayList<>();
    for (Map.Entry<String, JsonNode> rename : idents(root, RENAMES)) {
      renames.add(new Rename(rename.getKey(), text(RENAMES, rename.getValue())));
    }
    return new RenameSeries(renames);
  }

  private static CreateSeries creates(JsonNode root) {
    checkMembers(root, List.of(BY, POLICY, SOURCE, CREATES));
    List<NewSeries> series = new ArrayList<>();
    for (Map.Entry<String, JsonNode> create : idents(root, CREATES)) {
      JsonNode span = create.getValue();
      JsonNode from = span.path(FROM);
      JsonNode until = span.path(UNTIL);
      if (span.size() != 2 || !isTime(from) || !isTime(until)) {
        throw new IllegalArgumentException(
            "expected {\"%s\": ms, \"%s\": ms}: %s".formatted(FROM, UNTIL, span));
      }
      series.add(new NewSeries(create.getKey(), from.asLong(), until.asLong()));
    }
    return new CreateSeries(root.path(POLICY).asText(""), root.path(SOURCE).asText(""), series);
  }

  private static void checkMembers(JsonNode root, List<String> known) {
    root.fieldNames()
        .forEachRemaining(
            key -> {
              if (!known.contains(key)) {
                throw new IllegalArgumentException("unknown member '" + key + "'");
              }
            });
  }

  private static Iterable<Map.Entry<String, JsonNode>> idents(JsonNode root, String member) {
    JsonNode object = root.path(member);
    if (!object.isObject()) {
      throw new IllegalArgumentException(member + " is not an object of idents");
    }
    return object.properties();
  }

  private static String text(String member, JsonNode value) {
    if (!value.isTextual()) {
      throw new IllegalArgumentException(member + " has a member that is not text: " + value);
    }
    return value.asText();
  }

  private static boolean isTime(JsonNode ms) {
    return ms.isIntegralNumber() && ms.canConvertToLong();
  }

  /**
   * Returns the value of a record. Throws {@link IllegalArgumentException} for the end of points.
   */
  public static String write(SeriesRequest request) {
    ObjectNode root = JSON.createObjectNode().put(BY, request.getBy());
    if (request.getRequest() instanceof DeleteSeries deletes) {
      if (deletes.getSilentSince() != null) {
        root.put(SILENT_SINCE, deletes.getSilentSince());
      }
      deletes.getIdents().forEach(root.putArray(SERIES)::add);
    } else if (request.getRequest() instanceof RenameSeries renames) {
      ObjectNode object = root.putObject(RENAMES);
      renames.getRenames().forEach(rename -> object.put(rename.getIdent(), rename.getTo()));
    } else if (request.getRequest() instanceof CreateSeries creates) {
      write(creates, root);
    } else {
      throw new IllegalArgumentException("has no JSON: " + request);
    }
    return root.toString();
  }

  private static void write(CreateSeries creates, ObjectNode root) {
    if (!creates.getPolicy().isEmpty()) {
      root.put(POLICY, creates.getPolicy());
    }
    if (!creates.getSource().isEmpty()) {
      root.put(SOURCE, creates.getSource());
    }
    ObjectNode object = root.putObject(CREATES);
    for (NewSeries series : creates.getSeries()) {
      object.putObject(series.getIdent()).put(FROM, series.getFrom()).put(UNTIL, series.getUntil());
    }
  }
}
