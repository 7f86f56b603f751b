package dev.rondo.local.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.local.state.HttpProbe;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One series of the last ten minutes, rendered by the query API.
 *
 * @param values oldest first; null is unknown
 */
record Picture(String series, List<Double> values) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String QUERY = "/render?target=hosts.*.cpu.busy&from=-10min&format=json";
  private static final int WIDTH = 60;
  private static final int HEIGHT = 5;

  /**
   * Fetches the CPU usage of the first host with a value; empty if no host has one.
   *
   * @param token null: none
   */
  static Optional<Picture> fetch(String api, String token)
      throws IOException, InterruptedException {
    return parse(JSON.readTree(HttpProbe.get(api + QUERY, token)));
  }

  static Optional<Picture> parse(JsonNode answer) {
    for (JsonNode each : answer) {
      var values = new ArrayList<Double>();
      for (JsonNode point : each.path("datapoints")) {
        values.add(point.get(0).isNumber() ? point.get(0).asDouble() : null);
      }
      if (values.stream().anyMatch(Objects::nonNull)) {
        return Optional.of(new Picture(each.path("target").asText(), values));
      }
    }
    return Optional.empty();
  }

  /** Returns the lines to draw. */
  List<String> lines(Chart.Glyphs glyphs) {
    double latest = values.stream().filter(Objects::nonNull).reduce((a, b) -> b).orElseThrow();
    var lines = new ArrayList<String>();
    lines.add("");
    lines.add("%s, %% of the last 10 minutes; now %s".formatted(series, Chart.label(latest)));
    lines.addAll(Chart.lines(values, WIDTH, HEIGHT, glyphs));
    return lines;
  }
}
