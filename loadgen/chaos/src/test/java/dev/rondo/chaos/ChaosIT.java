package dev.rondo.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.embedded.ChildProcess;
import dev.rondo.harness.RondoCli;
import dev.rondo.harness.RondoCli.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Brief runs of {@code ./rondo chaos}, loadgen and verify, as a user runs them, on one Rondo. */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
@Timeout(900)
class ChaosIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Less than the test's, which would not tell how far the command came. */
  private static final Duration COMMAND_BOUND = Duration.ofMinutes(10);

  private static final String POLICIES =
      """
      policies:
        - {name: whisper, match: '^load[.]gaps[.]', step: 2s, heartbeat: 0, aggregate: max, archives: ["2s:1h", "10s:2h", "avg:1m:1d"]}
        - {name: reorder, match: '^load[.]disorder[.]', step: 2s, heartbeat: 20s, reorder: 5s, archives: ["2s:1h", "1m:1d"]}
        - name: load
          match: '^load[.]'
          step: 2s
          heartbeat: 20s
          archives: ["2s:1h", "10s:2h", "min:10s:2h", "max:10s:2h", "last:20s:6h", "sum:1m:1d"]
      """;

  /** Each shape is a run of the same name, which selects its policy. */
  private static final Map<String, List<String>> SHAPES =
      Map.of(
          "gaps", List.of("--gap-share=0.3"),
          "late", List.of("--batch=20"),
          "disorder", List.of("--keys=machine"),
          "duplicate", List.of(),
          "churn", List.of("--churn-ms=30000"));

  @TempDir static Path temporary;
  private RondoCli cli;

  @BeforeAll
  void open() {
    cli = RondoCli.forDir(temporary.resolve("data"));
  }

  @AfterAll
  void down() throws Exception {
    if (Files.exists(cli.dir().resolve("rondo.json"))) {
      Running down = cli.start("down", List.of("--wipe")); // removes its own logs too
      if (down.await() != 0) {
        throw down.failed();
      }
    }
  }

  @Test
  @Order(1)
  void shouldStoreEveryPointExactlyOnceWhilePairsOfPartsAreKilled() throws Exception {
    Path policies = Files.writeString(temporary.resolve("policies.yaml"), POLICIES);
    String printed =
        run(
            "chaos",
            "--scenario=pairs",
            "--minutes=0.2",
            "--faults=1",
            "--series=500",
            "--rate=500",
            "--policies=" + policies,
            "--keep",
            "--json");
    System.out.print(Files.readString(cli.dir().resolve("logs/rondo-chaos.err"))); // the seed
    JsonNode report = JSON.readTree(printed);
    assertThat(faults(report)).as(printed).isEqualTo(2);
    assertThat(report.at("/load/acked").asLong()).isEqualTo(6_000);
    assertThat(report.at("/verify/clean").asBoolean()).isTrue();
    assertThat(report.at("/verify/slots/equal").asLong()).isGreaterThanOrEqualTo(500 * 5);
    assertThat(report.get("dir").asText()).isEqualTo(cli.dir().toString());
  }

  @Test
  @Order(2)
  void shouldStoreOtherShapesCorrectly() throws Exception {
    var plans = new ArrayList<String>();
    for (var shape : SHAPES.entrySet()) {
      String name = shape.getKey();
      Path plan = temporary.resolve(name + ".json");
      plans.add("--plan=" + plan);
      var options =
          new ArrayList<>(
              List.of(
                  "--shape=" + name,
                  "--run=" + name,
                  "--plan=" + plan,
                  "--start=-2m",
                  "--seconds=90",
                  "--flat-out",
                  "--series=100",
                  "--metrics=10",
                  "--rate=100"));
      options.addAll(shape.getValue());
      run("loadgen", options.toArray(String[]::new));
    }
    plans.addAll(List.of("--wait=120", "--json"));
    JsonNode verdict = JSON.readTree(run("verify", plans.toArray(String[]::new)));
    assertThat(verdict.get("plans")).hasSize(SHAPES.size());
    assertThat(verdict.at("/dropped/late").asLong()).isPositive();
    assertThat(verdict.at("/dropped/duplicate-time").asLong()).isPositive();
    assertThat(verdict.get("archives")).hasSize(11);
  }

  /** Returns the output of the command, which must exit with 0. */
  private String run(String command, String... options) throws IOException, InterruptedException {
    Running running = cli.start(command, List.of(options));
    if (!running.endsWithin(COMMAND_BOUND)) {
      String soFar = Files.readString(running.err());
      running.kill(true);
      throw new AssertionError(
          "./rondo %s did not end within %d s: %s\n%s"
              .formatted(command, COMMAND_BOUND.toSeconds(), soFar, state()));
    }
    if (running.process().exitValue() != 0) {
      throw new AssertionError(
          "./rondo %s: %s %s"
              .formatted(command, running.output(), Files.readString(running.err())));
    }
    return running.output();
  }

  /** The states of the parts, and how their logs end. */
  private String state() throws IOException {
    var all = new StringBuilder(Files.readString(cli.dir().resolve("rondo.json")));
    for (String part : List.of("kafka", "topology", "topology-2", "connect", "postgres")) {
      Path log = cli.dir().resolve("logs").resolve(part + ".log");
      all.append("\n").append(log).append("\n").append(ChildProcess.tail(log));
    }
    return all.toString();
  }

  private static int faults(JsonNode report) {
    return StreamSupport.stream(report.get("parts").spliterator(), false)
        .mapToInt(part -> part.get("faults").asInt())
        .sum();
  }
}
