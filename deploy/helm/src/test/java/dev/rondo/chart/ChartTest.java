package dev.rondo.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The chart by Helm; query-api/tests/test_chart.py reads what it renders. */
class ChartTest {
  private static final Pattern SERVICE = Pattern.compile("http://([\\w-]+)\\.(\\w+):\\d+");

  @TempDir Path dir;
  private Chart chart;

  static List<String> valueSets() throws IOException {
    return Chart.valueSets();
  }

  @BeforeEach
  void copy() {
    chart = new Chart(dir.resolve("rondo"));
  }

  /** After a change: {@code ./mvnw -pl deploy/helm test -Drondo.golden=write}, and look at it. */
  @ParameterizedTest
  @MethodSource("valueSets")
  void shouldRenderAsBefore(String valueSet) throws IOException {
    String rendered = chart.render(valueSet, Map.of());
    Path golden = Chart.HELM.resolve("golden").resolve(valueSet + ".yaml");
    if ("write".equals(System.getProperty("rondo.golden"))) {
      Files.writeString(golden, rendered);
    }
    assertThat(rendered).isEqualTo(Files.readString(golden));
  }

  @ParameterizedTest
  @MethodSource("valueSets")
  void shouldBeFreeOfLint(String valueSet) throws IOException {
    LintResult result = chart.lint(valueSet);
    assertThat(result.isFailed()).as("%s", result.getMessages()).isFalse();
    assertThat(result.getMessages()).allMatch(message -> message.startsWith("[INFO]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          topology.replica              | 2 | additional properties
          topology.replicas             | 0 | /topology/replicas
          topology.config.http\\.port    | 1 | topology.config has http.port, which the chart sets itself
          api.config.tokens             | x | api.config has tokens, which the chart sets itself or reads from a Secret
          kafka.bootstrapServers        |   | kafka.bootstrapServers is missing
          postgres.host                 |   | postgres.host is missing
          """)
  void shouldRefuseWrongValues(String path, String value, String message) {
    Map<String, String> changes = Map.of(path, value == null ? "" : value);
    assertThatThrownBy(() -> chart.render("minimal", changes)).hasMessageContaining(message);
  }

  @ParameterizedTest
  @MethodSource("valueSets")
  void shouldNameItsServicesAfterAnInstallation(String valueSet) {
    String objects = chart.render(valueSet, Map.of());
    assertThat(SERVICE.matcher(chart.notes(valueSet)).results())
        .isNotEmpty()
        .allSatisfy(
            service -> {
              assertThat(service.group(2)).isEqualTo(Chart.NAMESPACE);
              assertThat(objects).contains("kind: Service\nmetadata:\n  name: " + service.group(1));
            });
  }

  @Test
  void shouldRunMigrationsBeforeAnInstallation() {
    assertThat(chart.render("minimal", Map.of())).contains("helm.sh/hook: pre-install,pre-upgrade");
  }
}
