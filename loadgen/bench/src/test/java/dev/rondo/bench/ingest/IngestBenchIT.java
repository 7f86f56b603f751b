package dev.rondo.bench.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rondo.bench.CommandRun;
import dev.rondo.harness.Load;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** Both commands, small and short, on one Rondo: all figures, and every slot as it should be. */
@Tag("long")
@TestMethodOrder(OrderAnnotation.class)
@Timeout(600)
class IngestBenchIT {
  private static final List<String> PARTS =
      List.of("kafka", "postgres", "topology", "connect", "api");

  private static Rondo rondo;

  @BeforeAll
  static void start() throws Exception {
    rondo = Rondo.start(Profile.SECOND.workload(), "");
  }

  @AfterAll
  static void end() {
    rondo.close();
  }

  @Test
  @Order(1)
  void shouldTellWhenNewSeriesCanBeRead() throws Exception {
    JsonNode result =
        json(
            new ColdStartCommand((workload, settings) -> rondo.kept()),
            "--series=2000",
            "--rate=3000",
            "--seconds=20");

    assertThat(result.get("allReadableMs").isNumber()).as("%s", result).isTrue();
    assertThat(result.get("worstLagMs").isNumber()).isTrue();
    assertThat(result.get("residentMb").fieldNames()).toIterable().containsAll(PARTS);
    assertThat(result.get("verified").asText()).isEqualTo("clean");
  }

  @Test
  @Order(2)
  void shouldTellWhatARateCosts() throws Exception {
    JsonNode results =
        json(
            new IngestCommand((workload, settings) -> rondo.kept()),
            "--profile=second",
            "--series=2000",
            "--rates=3000",
            "--warm-up=1",
            "--settle=10",
            "--seconds=10");

    assertThat(results).hasSize(1);
    JsonNode result = results.get(0);
    System.out.println(result); // sustained or not: that is the machine's
    assertThat(result.get("pointsPerSecond").asDouble()).isPositive();
    assertThat(result.get("cpuSeconds").fieldNames()).toIterable().contains("loadgen");
    assertThat(result.get("cpuSeconds").fieldNames()).toIterable().containsAll(PARTS);
    assertThat(result.at("/cpuSeconds/topology").asDouble()).isPositive();
    assertThat(result.at("/residentMb/topology").asLong()).isPositive();
    assertThat(result.get("walBytes").asDouble()).isPositive();
    for (String figure :
        List.of(
            "kafkaBytes",
            "visibleP50Ms",
            "visibleP99Ms",
            "closedP50Ms",
            "closedP99Ms",
            "lagSeconds",
            "lagGrowth")) {
      assertThat(result.get(figure).isNumber()).as("%s: %s", figure, result).isTrue();
    }
    assertThat(result.get("isSustained").isBoolean()).isTrue();
    assertThat(result.get("verified").asText()).isEqualTo("clean");
  }

  @Test
  @Order(3)
  void shouldWaitForALoadThatHasTheNameOfOneBefore() throws Exception {
    Load first = sendBriefly();
    long firstMs = first.startMs();
    first.await();

    Load second = sendBriefly();

    assertThat(second.startMs()).isGreaterThan(firstMs);
    second.await();
  }

  private static Load sendBriefly() throws Exception {
    return rondo.load("again", "again", Profile.SECOND.workload(), "--rate=1000", "--seconds=1");
  }

  /** What a command prints; it must end with 0. */
  private static JsonNode json(Callable<Integer> command, String... options) throws Exception {
    var all = new ArrayList<>(List.of(options));
    all.add("--json");
    var line = new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true);
    return CommandRun.of(line, all.toArray(String[]::new)).json();
  }
}
