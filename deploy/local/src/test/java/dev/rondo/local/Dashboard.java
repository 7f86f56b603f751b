package dev.rondo.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A dashboard of {@code deploy/dashboards}.
 *
 * @param targets queries of its panels, with all values of each variable
 */
record Dashboard(String name, List<String> targets) {
  private static final Path FOLDER =
      Path.of(System.getProperty("rondo.root"), "deploy", "dashboards");

  static Dashboard read(String name) throws IOException {
    JsonNode json = new ObjectMapper().readTree(FOLDER.resolve(name + ".json").toFile());
    var targets = new ArrayList<String>();
    for (JsonNode panel : json.get("panels")) {
      for (JsonNode target : panel.path("targets")) {
        targets.add(target.get("target").asText().replaceAll("\\$\\w+", "*"));
      }
    }
    return new Dashboard(name, List.copyOf(targets));
  }
}
