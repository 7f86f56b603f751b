package dev.rondo.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rondo.bench.CommandRun;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** The command, small and short, on both stores. */
@Tag("long")
@Timeout(600)
class PeersBenchIT {
  private static final String BINARY = System.getenv("RONDO_VICTORIA_METRICS");

  @Test
  void shouldMeasureBothStores() throws Exception {
    assumeThat(BINARY)
        .as("RONDO_VICTORIA_METRICS names no binary of VictoriaMetrics: not compared")
        .isNotBlank();
    JsonNode stores =
        CommandRun.of(
                new CommandLine(new PeersCommand()),
                "--victoria-metrics=" + BINARY,
                "--series=2000",
                "--warm-up=5",
                "--settle=10",
                "--seconds=20",
                "--runs=2",
                "--json")
            .json()
            .get("stores");
    System.out.println(stores);
    assertThat(stores).hasSize(2);
    for (JsonNode store : stores) {
      assertThat(store.get("pointsPerSecond").asDouble()).isPositive();
      assertThat(store.get("cpuSeconds")).isNotEmpty();
      assertThat(store.get("generatorCpuSeconds").asDouble()).isPositive();
      assertThat(store.get("residentMb").asLong()).isPositive();
      assertThat(store.get("valueBytes").asDouble()).isPositive();
      assertThat(store.get("seriesBytes").asDouble()).isPositive();
      assertThat(store.get("readableP50Ms").isNumber()).as("%s", store).isTrue();
      assertThat(store.get("questionMs")).hasSize(Questions.ALL.size());
    }
    assertThat(stores.get(0).get("verified").asText()).isEqualTo("clean");
  }
}
