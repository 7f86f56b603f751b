package dev.rondo.local;

import dev.rondo.local.settings.Home;
import dev.rondo.local.settings.Installation;
import dev.rondo.local.settings.Plan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes a Prometheus configuration that scrapes all parts, like deploy/prometheus/prometheus.yml
 * with the ports of this Rondo, and copies the alerts.
 */
final class PrometheusFiles {
  private static final List<String> COPIED = List.of("alerts.yml", "alertmanager.yml");

  private static final String HEAD =
      """
      # Written at every start of Rondo: prometheus --config.file=THIS --storage.tsdb.path=FOLDER
      global: {scrape_interval: 15s, evaluation_interval: 15s}
      rule_files: [alerts.yml]
      alerting: {alertmanagers: [{static_configs: [{targets: ["127.0.0.1:9093"]}]}]}
      scrape_configs:
      """;

  private PrometheusFiles() {}

  static Path config(Home home) {
    return home.prometheus().resolve("prometheus.yml");
  }

  static void write(Home home, Installation installation, Plan plan) {
    try {
      Files.createDirectories(home.prometheus());
      for (String file : COPIED) {
        Files.copy(
            installation.prometheus().resolve(file),
            home.prometheus().resolve(file),
            StandardCopyOption.REPLACE_EXISTING);
      }
      Files.writeString(config(home), text(plan));
    } catch (IOException e) {
      throw new UncheckedIOException("could not write to " + home.prometheus(), e);
    }
  }

  private static String text(Plan plan) {
    return plan.metrics().entrySet().stream()
        .map(each -> job(each.getKey(), URI.create(each.getValue()), plan))
        .collect(Collectors.joining("", HEAD, ""));
  }

  /** The query API, which also exports PostgreSQL's metrics, may require a token. */
  private static String job(String part, URI url, Plan plan) {
    boolean isOfApi = url.toString().startsWith(plan.apiUrl() + "/");
    String token =
        isOfApi && plan.apiToken() != null
            ? "    authorization: {credentials_file: '%s'}%n".formatted(plan.apiToken())
            : "";
    return """
          - job_name: %1$s
            metrics_path: %2$s
        %3$s    static_configs: [{targets: ["%4$s"], labels: {rondo_part: %1$s}}]
        """
        .formatted(part, url.getPath(), token, url.getAuthority());
  }
}
