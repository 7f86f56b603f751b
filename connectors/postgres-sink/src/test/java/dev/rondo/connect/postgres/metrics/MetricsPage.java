package dev.rondo.connect.postgres.metrics;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Generates docs/reference/postgres-sink-metrics.md from the exporter's rules. */
final class MetricsPage {
  static final String COMMAND =
      "./mvnw -q test -pl connectors/postgres-sink -am -Dtest=MetricsPageTest "
          + "-Dsurefire.failIfNoSpecifiedTests=false -Dpage.write=true";

  private static final String HEAD =
      """
      # Metrics of the PostgreSQL sink

      [The module's page](../../connectors/postgres-sink/README.md#metrics) says how to export them. Every metric has
      the labels `connector` and `task`.

      Generated from `connectors/postgres-sink/prometheus`, by `%s`.
      """
          .formatted(COMMAND);

  private MetricsPage() {}

  static String text() {
    return HEAD
        + Monitoring.rules().stream()
            .map(MetricsPage::metric)
            .collect(
                Collectors.joining(
                    "\n",
                    "\n| metric | labels | type | JMX attribute | what |\n|---|---|---|---|---|\n",
                    "\n"));
  }

  private static String metric(Map<String, Object> rule) {
    String labels =
        Monitoring.labels(rule).stream()
            .filter(label -> !label.equals("connector") && !label.equals("task"))
            .map("`%s`"::formatted)
            .collect(Collectors.joining(", "));
    String type = rule.get("type").equals("UNTYPED") ? "histogram" : rule.get("type").toString();
    return "| `%s` | %s | %s | `%s` | %s |"
        .formatted(
            rule.get("name"),
            labels,
            type.toLowerCase(Locale.ROOT),
            Monitoring.attribute(rule),
            rule.get("help"));
  }
}
