package dev.rondo.topology.deletion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rondo.formats.Naming;
import dev.rondo.schemas.Ident;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request to create series whose slots are written beside the topology, the value of a record of
 * {@code rondo.deletions} as JSON: {@code {"by": "alice@ops1", "creates": {"load;host=web01":
 * {"from_ms": 1700000000000, "until_ms": 1700003600000}}}}.
 *
 * @param by who asks, for the log
 * @param policy that the source of the series names; empty = none
 * @param source topic of the series; empty if it has none
 * @param creates the time of the slots, by canonical ident
 */
public record CreateRequest(String by, String policy, String source, Map<String, Span> creates) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String BY = "by";
  private static final String POLICY = "policy";
  private static final String SOURCE = "source";
  private static final String CREATES = "creates";
  private static final String FROM = "from_ms";
  private static final String UNTIL = "until_ms";

  /**
   * The time of the slots of a series. Throws {@link IllegalArgumentException} if it is empty, or
   * begins before 1970.
   *
   * @param fromMs start of the oldest slot, epoch ms: the series is valid from then on
   * @param untilMs end of the newest slot, epoch ms
   */
  public record Span(long fromMs, long untilMs) {
    public Span {
      if (fromMs < 0 || untilMs <= fromMs) {
        throw new IllegalArgumentException(
            "expected 0 <= %s < %s: %d, %d".formatted(FROM, UNTIL, fromMs, untilMs));
      }
    }
  }

  public CreateRequest {
    creates = Collections.unmodifiableMap(new LinkedHashMap<>(creates));
    creates.keySet().forEach(Ident::parse);
  }

  /**
   * Checks that a point can have the idents.
   *
   * @param naming of a source without rules
   * @throws IllegalArgumentException that tells which one no point has, and why
   */
  public void check(Naming naming) {
    NewIdents.check(creates.keySet(), naming);
  }

  /** Whether the value of a record asks for new series, rightly or not. */
  static boolean isOne(String json) {
    return DeletionRequest.read(json).has(CREATES);
  }

  /**
   * Parses the value of a record.
   *
   * @throws IllegalArgumentException that says what is wrong
   */
  public static CreateRequest parse(String json) {
    JsonNode root = DeletionRequest.members(json, List.of(BY, POLICY, SOURCE, CREATES));
    JsonNode object = root.path(CREATES);
    if (!object.isObject()) {
      throw new IllegalArgumentException(CREATES + " is not an object of idents");
    }
    Map<String, Span> creates = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> create : object.properties()) {
      creates.put(create.getKey(), span(create.getValue()));
    }
    return new CreateRequest(
        root.path(BY).asText("unknown"),
        root.path(POLICY).asText(""),
        root.path(SOURCE).asText(""),
        creates);
  }

  /** The request that the value of a record is; empty if it is another one, or not readable. */
  public static Optional<CreateRequest> read(String json) {
    try {
      return isOne(json) ? Optional.of(parse(json)) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Span span(JsonNode span) {
    JsonNode from = span.path(FROM);
    JsonNode until = span.path(UNTIL);
    if (span.size() != 2 || !isTime(from) || !isTime(until)) {
      throw new IllegalArgumentException(
          "expected {\"%s\": ms, \"%s\": ms}: %s".formatted(FROM, UNTIL, span));
    }
    return new Span(from.asLong(), until.asLong());
  }

  private static boolean isTime(JsonNode ms) {
    return ms.isIntegralNumber() && ms.canConvertToLong();
  }

  /** The value of a record. */
  public String json() {
    ObjectNode root = JSON.createObjectNode().put(BY, by);
    if (!policy.isEmpty()) {
      root.put(POLICY, policy);
    }
    if (!source.isEmpty()) {
      root.put(SOURCE, source);
    }
    ObjectNode object = root.putObject(CREATES);
    creates.forEach(
        (ident, span) ->
            object.putObject(ident).put(FROM, span.fromMs()).put(UNTIL, span.untilMs()));
    return root.toString();
  }
}
