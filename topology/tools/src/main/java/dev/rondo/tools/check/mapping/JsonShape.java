package dev.rondo.tools.check.mapping;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.mapping.Shape;
import dev.rondo.formats.mapping.Shape.Kind;
import dev.rondo.formats.schemaregistry.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/** Shapes of JSON Schemas. What they refer to outside of themselves is of any shape. */
final class JsonShape {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** References may form a circle. */
  private static final int MAX_REFERENCES = 32;

  private final JsonNode root;

  private JsonShape(JsonNode root) {
    this.root = root;
  }

  /** The shape of the records; throws {@link DroppedException} if the schema is no JSON. */
  static Shape of(Schema schema) throws DroppedException {
    try {
      JsonNode root = JSON.readTree(schema.text());
      return new JsonShape(root).of(root, "#");
    } catch (JsonProcessingException e) {
      throw new DroppedException(
          DropReason.UNSUPPORTED,
          "%s is not a JSON Schema: %s"
              .formatted(schema.label(), Excerpt.of(String.valueOf(e.getOriginalMessage()))));
    }
  }

  /**
   * The shape of a part.
   *
   * @param place of the part in the schema, which names its type
   */
  private Shape of(JsonNode part, String place) {
    JsonNode node = part;
    String at = place;
    for (int n = 0; n < MAX_REFERENCES; n++) {
      List<JsonNode> choices = withoutNull(node.path(node.has("oneOf") ? "oneOf" : "anyOf"));
      if (node.has("$ref")) {
        at = node.get("$ref").asText();
        node = at.startsWith("#/") ? root.at(at.substring(1)) : MissingNode.getInstance();
      } else if (choices.size() == 1) {
        node = choices.get(0);
        at += "/choice";
      } else {
        return ofType(node, at);
      }
    }
    return Shape.of(Kind.ANY);
  }

  private Shape ofType(JsonNode node, String at) {
    return switch (type(node)) {
      case "object" -> object(node, at);
      case "array" -> Shape.collection(Kind.LIST, () -> of(node.path("items"), at + "/items"));
      case "number", "integer" -> Shape.of(Kind.NUMBER);
      case "boolean" -> Shape.of(Kind.BOOLEAN);
      case "string" ->
          Shape.of(node.path("format").asText().equals("date-time") ? Kind.TIME : Kind.TEXT);
      default -> Shape.of(Kind.ANY);
    };
  }

  private Shape object(JsonNode node, String at) {
    JsonNode entries = node.path("additionalProperties");
    return entries.isObject() && node.path("properties").isEmpty()
        ? Shape.collection(Kind.MAP, () -> of(entries, at + "/additionalProperties"))
        : Shape.record(at, () -> fields(node, at));
  }

  private Map<String, Shape> fields(JsonNode node, String at) {
    Map<String, Shape> fields = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> field : node.path("properties").properties()) {
      String name = field.getKey();
      fields.put(name, of(field.getValue(), at + "/properties/" + name));
    }
    return fields;
  }

  /** The type that is not null if it is the only one. */
  private static String type(JsonNode node) {
    JsonNode type = node.path("type");
    if (type.isMissingNode() && node.has("properties")) {
      return "object";
    }
    List<String> types = new ArrayList<>();
    (type.isArray() ? type : List.of(type)).forEach(each -> types.add(each.asText()));
    types.remove("null");
    return types.size() == 1 ? types.get(0) : "";
  }

  private static List<JsonNode> withoutNull(JsonNode choices) {
    return StreamSupport.stream(choices.spliterator(), false)
        .filter(choice -> !choice.path("type").asText().equals("null"))
        .toList();
  }
}
