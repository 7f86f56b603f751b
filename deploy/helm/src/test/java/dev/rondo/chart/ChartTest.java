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

/** The chart rendered by Helm; query-api/tests/test_chart.py reads the result. */
class ChartTest {
  private static final Pattern SERVICE = Pattern.compile("http://([\\w-]+)\\.(\\w+):\\d+");

  @TempDir Path dir;
  private Chart chart;

  static List<String> valueSets() throws IOException {
    return Chart.valueSets();
  }

  @BeforeEach
  void copy() {
    chart = Chart.withHooks(dir.resolve("rondo"));
  }

  /**
   * After a change: {@code ./mvnw -pl deploy/helm test -Drondo.golden=write}, and review the
   * difference.
   */
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
          topology.resources.limits.memory | 150Mi | topology.resources.limits.memory is 150Mi, below 190Mi: topology.series is 100000, with 1 instances
          fill.resources.limits.memory  | 256Mi | fill.resources.limits.memory is 256Mi, below 384Mi: its heap takes up to 256 MiB
          migrate.resources.limits.memory | 0.1Gi | migrate.resources.limits.memory is 0.1Gi, below 384Mi
          api.resources.limits.memory   | 512Mi | api.resources.limits.memory is 512Mi, below 640Mi: 128 MiB, and 256 MiB for each of 2 workers
          api.ingress.enabled           | true | api.ingress.enabled is true without api.accessSecret
          api.resources.limits.memory   | 2 GB | api.resources.limits.memory is 2 GB, which is no quantity such as 1536Mi
          """)
  void shouldRejectInvalidValues(String path, String value, String message) {
    Map<String, String> changes = Map.of(path, value == null ? "" : value);
    assertThatThrownBy(() -> chart.render("minimal", changes)).hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({"api.accessSecret, rondo-access", "api.ingress.open, true"})
  void shouldRenderAnIngressWithCredentialsOrIfItIsOpen(String path, String value) {
    assertThat(chart.render("minimal", Map.of("api.ingress.enabled", "true", path, value)))
        .contains("kind: Ingress");
  }

  @Test
  void shouldRejectALimitBelowTheMemoryOfTheWorkers() {
    Map<String, Object> changes =
        Map.of(
            "api.config.worker\\.memory\\.bytes", 1L << 30, "api.resources.limits.memory", "2Gi");
    assertThatThrownBy(() -> chart.render("minimal", changes))
        .hasMessageContaining(
            "api.resources.limits.memory is 2Gi, below 2176Mi: 128 MiB, and 1073741824 bytes"
                + " (api.config.worker.memory.bytes) for each of 2 workers (api.config.workers)");
  }

  @ParameterizedTest
  @CsvSource({
    "api.resources.limits.memory, 1152Mi, 536870912, 1152Mi",
    "api.config.worker\\.memory\\.bytes, 536870912, 536870912, 1152Mi",
    "api.config.workers, 1, 2147483648, 2176Mi",
  })
  void shouldDeriveTheMemoryOfWorkersAndTheLimitFromEachOther(
      String path, String value, String workerBytes, String limit) {
    assertThat(chart.render("api-only", Map.of(path, value)))
        .contains("RONDO_API_WORKER_MEMORY_BYTES: \"" + workerBytes + "\"")
        .containsPattern("limits:\n +memory: " + limit);
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
  void shouldRenderFromTheArchiveOfARelease() throws Exception {
    Path archive = dir.resolve("chart.tgz");
    String pack =
        "root=%1$s; source $root/deploy/local/cli/dist.sh; SOURCE_DATE_EPOCH=0 pack $root/%2$s %3$s"
            .formatted(System.getProperty("rondo.root"), "deploy/helm/rondo", archive);
    assertThat(new ProcessBuilder("bash", "-ec", pack).inheritIO().start().waitFor()).isZero();
    assertThat(new Chart(archive).render("ha", Map.of()))
        .isEqualTo(new Chart(Chart.HELM.resolve("rondo")).render("ha", Map.of()));
  }

  @Test
  void shouldRunMigrationsBeforeAnInstallation() {
    assertThat(chart.render("minimal", Map.of())).contains("helm.sh/hook: pre-install,pre-upgrade");
  }
}
