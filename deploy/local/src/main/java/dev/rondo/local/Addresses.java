package dev.rondo.local;

import java.util.List;

/** Where to find what runs, for people. */
final class Addresses {
  private Addresses() {}

  static List<String> lines(State state, Home home) {
    return List.of(
        "  Graphite API  %s   (for Grafana: a Graphite data source)".formatted(state.api),
        "  Kafka         %s   (publish to the topic points)".formatted(state.kafka),
        "  PostgreSQL    %s".formatted(PostgresUrl.shown(state.postgres)),
        "  topology      %s/metrics".formatted(state.topology),
        "  Connect       %s   (metrics: %s)".formatted(state.connect, state.connectMetrics),
        "  data, logs    %s".formatted(home.dir()));
  }
}
