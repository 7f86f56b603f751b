package dev.rondo.connect.postgres.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files for Prometheus fit the code and the documentation. */
class MonitoringTest {
  private static final Pattern LABEL = Pattern.compile("\\b(?:rondo|kafka)_\\w+\\{(\\w+)=");

  @Test
  void shouldDocumentEveryAttribute() throws IOException {
    String documentation = documentation();
    assertThat(PostgresSinkMXBean.class.getMethods())
        .allSatisfy(
            getter ->
                assertThat(documentation)
                    .contains("`%s`".formatted(getter.getName().replaceFirst("get|is", ""))));
  }

  @Test
  void shouldOnlyHaveRulesOfAttributesThatExist() {
    List<String> attributes =
        Arrays.stream(PostgresSinkMXBean.class.getMethods())
            .map(getter -> getter.getName().replaceFirst("get|is", ""))
            .toList();
    assertThat(Monitoring.rules())
        .filteredOn(rule -> rule.get("name").toString().startsWith("rondo_sink_"))
        .hasSizeGreaterThan(10)
        .allSatisfy(
            rule -> {
              String attribute = Monitoring.attribute(rule);
              assertThat(attributes).contains(attribute);
              assertThat(rule.get("name"))
                  .isEqualTo(
                      "rondo_sink_"
                          + attribute
                              .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
                              .toLowerCase(Locale.ROOT)
                              .replaceFirst("_bucket$", "_le"));
            });
  }

  @Test
  void shouldAlertByMetricsAndLabelsThatExist() {
    assertThat(Monitoring.alerts())
        .isNotEmpty()
        .allSatisfy(
            alert -> {
              assertThat(alert).containsKeys("alert", "expr", "labels", "annotations");
              assertThat(Monitoring.metrics(alert)).isNotEmpty().isSubsetOf(Monitoring.ruleNames());
              assertThat(LABEL.matcher(alert.get("expr").toString()).results())
                  .allSatisfy(match -> assertThat(match.group(1)).isEqualTo("status"));
            });
    assertThat(Monitoring.alerts().stream().map(alert -> alert.get("alert")))
        .doesNotHaveDuplicates();
  }

  /** Records that are not stored, and a sink that stores none, must not go unnoticed. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "rondo_sink_lag_seconds",
        "rondo_sink_retrying_seconds",
        "rondo_sink_rejected_records_total",
        "rondo_sink_lost_records_total",
        "kafka_connect_task_status"
      })
  void shouldAlertOn(String metric) {
    assertThat(Monitoring.alerts())
        .anySatisfy(alert -> assertThat(Monitoring.metrics(alert)).contains(metric));
  }

  private static String documentation() throws IOException {
    return Files.readString(Path.of("README.md"))
        + Files.readString(Path.of("../../docs/reference/postgres-sink-metrics.md"));
  }
}
