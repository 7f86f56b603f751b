package dev.rondo.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.local.state.HttpProbe;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code ./rondo up --token}: the query API answers only with the token, which commands of the same
 * user read from its file. Everything else is the default, including its own metrics.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TokenIT {
  private static final Duration VISIBLE_BOUND = Duration.ofMinutes(2);

  /** Metrics that need a load to have values. */
  private static final Pattern OF_A_LOAD =
      Pattern.compile("\\.(lag|saturation)_\\w+|\\.merge_awaited_seconds");

  @TempDir static Path temporary;
  private RondoScript rondo;
  private RondoScript.Outcome up;
  private String api;
  private Path tokenFile;

  @BeforeAll
  void up() throws Exception {
    rondo = new RondoScript(temporary.resolve("data"));
    up = rondo.up("--token");
    JsonNode status = rondo.status();
    api = status.get("api").asText();
    tokenFile = Path.of(status.get("apiToken").asText());
  }

  @AfterAll
  void down() throws Exception {
    rondo.run("down");
  }

  @Test
  void shouldDrawTheChartAndPrintTheFileOfTheToken() throws Exception {
    assertThat(up.output()).contains("% of the last 10 minutes");
    assertThat(Files.getPosixFilePermissions(tokenFile)).isEqualTo(fromString("rw-------"));
    String find = api + "/metrics/find?query=*";
    assertThatThrownBy(() -> HttpProbe.get(find)).hasMessageContaining("401");
    assertThat(get("/metrics/find?query=*").toString()).contains("hosts");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rondo-graphite", "sources", "cardinality"})
  void shouldHaveValuesForEachQueryOfItsDashboards(String name) throws Exception {
    Dashboard dashboard = Dashboard.read(name);
    assertThat(dashboard.targets()).hasSizeGreaterThan(10);
    await("values of each query")
        .atMost(VISIBLE_BOUND)
        .pollInterval(Duration.ofSeconds(3)) // a try takes some forty queries
        .untilAsserted(
            () ->
                assertThat(dashboard.targets())
                    .filteredOn(target -> !OF_A_LOAD.matcher(target).find())
                    .allMatch(this::hasValues));
  }

  private boolean hasValues(String target) {
    try {
      JsonNode series =
          get("/render?format=json&from=-10min&target=" + URLEncoder.encode(target, UTF_8));
      return StreamSupport.stream(series.spliterator(), false)
          .flatMap(each -> StreamSupport.stream(each.get("datapoints").spliterator(), false))
          .anyMatch(point -> point.get(0).isNumber());
    } catch (Exception e) {
      throw new AssertionError(target, e);
    }
  }

  private JsonNode get(String path) throws Exception {
    String token = Files.readString(tokenFile).strip();
    return new ObjectMapper().readTree(HttpProbe.get(api + path, token));
  }
}
