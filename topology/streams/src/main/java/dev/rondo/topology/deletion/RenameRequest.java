package dev.rondo.topology.deletion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rondo.formats.Naming;
import dev.rondo.schemas.Ident;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A request to rename series, the value of a record of {@code rondo.deletions} as JSON: {@code
 * {"by": "alice@ops1", "renames": {"load;host=web01": "load;host=web02"}}}. The time of the record
 * is that of the renaming.
 *
 * @param by who asks, for the log
 * @param renames canonical idents, the new one by the old one; none is in two renamings
 */
public record RenameRequest(String by, Map<String, String> renames) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String BY = "by";
  private static final String RENAMES = "renames";

  /** Throws {@link IllegalArgumentException} if an ident is in two renamings. */
  public RenameRequest {
    renames = Collections.unmodifiableMap(new LinkedHashMap<>(renames));
    Set<String> idents = new HashSet<>(renames.keySet());
    for (Map.Entry<String, String> rename : renames.entrySet()) {
      Ident.parse(rename.getKey());
      Ident.parse(rename.getValue());
      if (rename.getKey().equals(rename.getValue())) {
        throw new IllegalArgumentException("old and new name are the same: " + rename.getKey());
      }
      if (!idents.add(rename.getValue())) {
        throw new IllegalArgumentException("is in two renamings: " + rename.getValue());
      }
    }
  }

  /**
   * Checks that a point can have the new idents.
   *
   * @param naming of a source without rules
   * @throws IllegalArgumentException that tells which one no point has, and why
   */
  public void check(Naming naming) {
    NewIdents.check(renames.values(), naming);
  }

  /** Whether the value of a record asks for renamings, rightly or not. */
  static boolean isOne(String json) {
    return DeletionRequest.read(json).has(RENAMES);
  }

  /**
   * Parses the value of a record.
   *
   * @throws IllegalArgumentException that says what is wrong
   */
  public static RenameRequest parse(String json) {
    JsonNode root = DeletionRequest.members(json, List.of(BY, RENAMES));
    JsonNode object = root.path(RENAMES);
    if (!object.isObject()) {
      throw new IllegalArgumentException(RENAMES + " is not an object of idents");
    }
    Map<String, String> renames = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> rename : object.properties()) {
      if (!rename.getValue().isTextual()) {
        throw new IllegalArgumentException(
            RENAMES + " has a member that is no text: " + rename.getValue());
      }
      renames.put(rename.getKey(), rename.getValue().asText());
    }
    return new RenameRequest(root.path(BY).asText("unknown"), renames);
  }

  /** The value of a record. */
  public String json() {
    ObjectNode root = JSON.createObjectNode().put(BY, by);
    ObjectNode object = root.putObject(RENAMES);
    renames.forEach(object::put);
    return root.toString();
  }
}
