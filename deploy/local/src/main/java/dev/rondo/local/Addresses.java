package dev.rondo.local;

import dev.rondo.local.settings.Home;
import dev.rondo.local.state.State;
import dev.rondo.schemas.postgres.PostgresUrl;
import java.util.List;

/** Prints the addresses of a running Rondo. */
final class Addresses {
  private Addresses() {}

  /** The explorer's page, for a browser. */
  static String explorer(State state) {
    return state.api + "/";
  }

  static List<String> lines(State state, Home home) {
    return List.of(
        "  explorer      %s   (for a browser)".formatted(explorer(state)),
        "  Graphite API  %s   (for Grafana: a Graphite data source)".formatted(state.api),
        "  Kafka         %s   (publish to the topic points; Rondo's topics: %s.*)"
            .formatted(state.kafka, state.prefix),
        "  PostgreSQL    %s".formatted(PostgresUrl.shown(state.postgres)),
        "  topology      %s/metrics".formatted(state.topology),
        "  Connect       %s   (metrics: %s)".formatted(state.connect, state.connectMetrics),
        "  data, logs    %s".formatted(home.dir()));
  }
}
