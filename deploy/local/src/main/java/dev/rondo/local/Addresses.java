package dev.rondo.local;

import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.local.settings.Home;
import dev.rondo.local.state.State;
import java.util.ArrayList;
import java.util.List;

/** Prints the addresses of a running Rondo. */
final class Addresses {
  private Addresses() {}

  static String explorer(State state) {
    return state.api + "/";
  }

  static List<String> lines(State state, Home home) {
    var lines = new ArrayList<String>();
    lines.add("  explorer      %s   (for a browser)".formatted(explorer(state)));
    lines.add("  Graphite API  %s   (for Grafana: a Graphite data source)".formatted(state.api));
    if (state.apiToken != null) {
      lines.add("  API token     in %s".formatted(state.apiToken));
    }
    lines.add(
        "  Kafka         %s   (%s; Rondo's topics: %s.*)"
            .formatted(
                state.kafka,
                state.sources == null ? "publish to the topic points" : "sources: " + state.sources,
                state.prefix));
    lines.add("  PostgreSQL    %s".formatted(PostgresUrl.shown(state.postgres)));
    lines.add("  topology      %s".formatted(state.topology));
    lines.add("  Connect       %s".formatted(state.connect));
    state.metrics.forEach(
        (part, url) -> lines.add("  metrics       %s   (%s)".formatted(url, part)));
    lines.add("  Prometheus    %s   (scrapes them)".formatted(PrometheusFiles.config(home)));
    lines.add("  data, logs    %s".formatted(home.dir()));
    return lines;
  }
}
