package dev.rondo.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.chaos.fault.Scenario;
import dev.rondo.chaos.part.Clocks;
import dev.rondo.harness.RondoCli;
import dev.rondo.harness.RondoCli.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Scenarios of {@code ./rondo chaos} other than kills, some twenty seconds each, on one Rondo. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("long")
@Timeout(1800)
class ScenariosIT {
  private static final List<Scenario> SCENARIOS =
      Arrays.stream(Briefly.values()).map(each -> Scenario.valueOf(each.name())).toList();

  private static final String POLICIES =
      """
      policies:
        - name: load
          match: '^load[.]'
          step: 2s
          heartbeat: 20s
          archives: ["2s:1h", "max:10s:2h", "1m:1d"]
      """;

  /** In the order of execution. The topology's own tests have rebalances and explosions. */
  private enum Briefly {
    FREEZE,
    ROLL,
    RESTORE,
    SKEW,
    GROW,
    TOPICS
  }

  @TempDir static Path temporary;
  private final Map<String, JsonNode> reports = new HashMap<>();
  private RondoCli cli;

  @BeforeAll
  void run() throws IOException, InterruptedException {
    cli = RondoCli.forDir(temporary.resolve("data"));
    Path policies = Files.writeString(temporary.resolve("policies.yaml"), POLICIES);
    String names = SCENARIOS.stream().map(Scenario::label).collect(Collectors.joining(","));
    JsonNode printed =
        chaos(
            cli,
            List.of(
                "--scenario=" + names,
                "--minutes=0.4",
                "--faults=2",
                "--frozen=13",
                "--wait=60",
                "--series=4000",
                "--rate=2000",
                "--partitions=8",
                "--policies=" + policies,
                "--keep"));
    for (JsonNode report : printed.path("scenarios")) {
      reports.put(report.get("scenario").asText(), report);
    }
  }

  /** Returns the report, whatever the exit code. */
  private static JsonNode chaos(RondoCli cli, List<String> options)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(options);
    all.add("--json");
    Running chaos = cli.start("chaos", all);
    chaos.await();
    String errors = Files.readString(chaos.err());
    System.out.print(errors);
    assertThat(chaos.output()).as(errors).isNotBlank();
    return new ObjectMapper().readTree(chaos.output());
  }

  @AfterAll
  void down() throws Exception {
    if (Files.exists(cli.dir().resolve("rondo.json"))) {
      assertThat(cli.start("down", List.of("--wipe")).await()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Briefly.class)
  void shouldStoreEveryPointExactlyOnce(Briefly scenario) {
    JsonNode report = reports.get(Scenario.valueOf(scenario.name()).label());
    assertThat(report).as("reports: %s", reports.keySet()).isNotNull();
    assertThat(report.get("clean").asBoolean()).as(report.toPrettyString()).isTrue();
    assertThat(report.get("faults").size()).isPositive();
    assertThat(report.at("/load/acked").asLong()).isEqualTo(report.at("/load/points").asLong());
    assertThat(report.at("/verify/slots/equal").asLong()).isGreaterThan(4000 * 10);
  }

  @Test
  void shouldMeasureHowFreshTheTablesStay() {
    JsonNode freshness = reports.get(Scenario.ROLL.label()).get("freshness"); // for half a minute
    assertThat(freshness.get("first_minute_seconds").asDouble()).isPositive();
  }

  /** A Rondo of its own, as its parts run with libfaketime. */
  @Test
  void shouldStoreEveryPointWhileClocksAreWrong() throws Exception {
    assumeTrue(Clocks.areThere(), "no libfaketime to set a clock with: apt install faketime");
    RondoCli clocks = RondoCli.forDir(temporary.resolve("clocks"));
    JsonNode report =
        chaos(
            clocks,
            List.of(
                "--scenario=clocks",
                "--minutes=0.8",
                "--faults=3",
                "--series=2000",
                "--rate=400",
                "--wait=30",
                "--keep"));
    assertThat(clocks.start("down", List.of("--wipe")).await()).isZero();
    assertThat(report.get("clean").asBoolean()).as(report.toPrettyString()).isTrue();
    assertThat(report.get("faults").size()).isPositive();
  }

  /**
   * 300 hosts with a point per second over a quarter of an hour, in 16 partitions; clocks are
   * correct.
   */
  @Test
  void shouldKeepTheOrderOfABacklogWithTheSendersTimes() throws Exception {
    RondoCli backlog = RondoCli.forDir(temporary.resolve("backlog"));
    JsonNode report =
        chaos(
            backlog,
            List.of(
                "--scenario=backlog",
                "--timestamp-types=create",
                "--clock-skew=0s",
                "--minutes=15",
                "--series=300",
                "--rate=300",
                "--wait=30",
                "--keep"));
    assertThat(backlog.start("down", List.of("--wipe")).await()).isZero();
    assertThat(report.get("clean").asBoolean()).as(report.toPrettyString()).isTrue();
    assertThat(report.at("/load/acked").asLong()).isEqualTo(270_000);
  }
}
