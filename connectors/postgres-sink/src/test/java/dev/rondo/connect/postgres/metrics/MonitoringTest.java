package dev.rondo.connect.postgres.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is shipped for Prometheus, against the code and README.md. */
class MonitoringTest {
  private static final Pattern LABEL = Pattern.compile("\\b(?:rondo|kafka)_\\w+\\{(\\w+)=");

  @Test
  void shouldHaveTheTableInReadme() throws IOException {
    String table =
        Monitoring.rules().stream()
            .map(MonitoringTest::line)
            .collect(
                Collectors.joining(
                    "\n",
                    "| metric | labels | type | JMX attribute | what |\n|---|---|---|---|---|\n",
                    "\n"));
    assertThat(readme()).contains(table);
  }

  @Test
  void shouldDocumentEveryAttribute() throws IOException {
    String readme = readme();
    assertThat(PostgresSinkMXBean.class.getMethods())
        .allSatisfy(
            getter ->
                assertThat(readme)
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
                              .toLowerCase(Locale.ROOT));
            });
  }

  @Test
  void shouldAlertByMetricsAndLabelsThatExist() {
    List<Map<String, Object>> alerts = Monitoring.alerts();
    assertThat(alerts).hasSize(4);
    assertThat(Monitoring.ruleNames()).containsAll(Monitoring.alertMetrics());
    assertThat(alerts)
        .allSatisfy(
            alert -> {
              assertThat(alert).containsKeys("alert", "expr", "labels", "annotations");
              assertThat(LABEL.matcher(alert.get("expr").toString()).results())
                  .allSatisfy(match -> assertThat(match.group(1)).isEqualTo("status"));
            });
  }

  private static String line(Map<String, Object> rule) {
    String labels =
        ((Map<?, ?>) rule.get("labels"))
            .keySet().stream()
                .map(Object::toString)
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

  private static String readme() throws IOException {
    return Files.readString(Path.of("README.md"));
  }
}
