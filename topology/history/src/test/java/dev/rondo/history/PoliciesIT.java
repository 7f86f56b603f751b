package dev.rondo.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.JavaCommand;
import dev.rondo.embedded.TopologyProcess;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import dev.rondo.tools.series.KnownSeries;
import dev.rondo.topology.config.TopologyConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Policies that are changed while a topology runs. */
class PoliciesIT {
  private static final int SERIES = 20;
  private static final int PARTITIONS = 4;
  private static final String FIRST =
      """
      policies:
        - {name: all, match: '.*', step: 1s, archives: ["1s:1h", "1m:1d"]}
      """;
  private static final String SECOND =
      """
      policies:
        - {name: team, match: '^team\\.', step: 1s, archives: ["1s:2h"]}
        - {name: all, match: '.*', step: 1s, archives: ["1s:2h", "1m:1d"]}
      """;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path dir;

  private final KafkaSpace kafka = TestBed.kafka();
  private final String points = kafka.source("points");
  private Path settings;

  @Test
  void shouldApplyPoliciesToARunningTopology() throws Exception {
    Path first = Files.writeString(dir.resolve("first.yaml"), FIRST);
    Path second = Files.writeString(dir.resolve("second.yaml"), SECOND);
    Path folder = Files.createDirectories(dir.resolve("topology"));
    var topology =
        new TopologyProcess(folder, kafka.bootstrap())
            .set("rondo.prefix", kafka.prefix())
            .set("sources", points + "=graphite")
            .set("sources.create", true)
            .set("partitions", PARTITIONS)
            .set("policies.file", first);
    try (topology) {
      topology.start();
      settings = folder.resolve("topology.properties");
      send();
      await().untilAsserted(() -> assertThat(knownSeries()).hasSize(SERIES));
      assertThat(run("show").printed()).startsWith("# version 1, applied 20").endsWith(FIRST);

      assertThat(run("apply", second.toString(), "--dry-run").printed())
          .contains(
              "+ policy team:",
              "~ policy all: archives [1s:1h, 1m:1d] -> [1s:2h, 1m:1d]",
              "10 of 20 series get another policy",
              "  all -> team: 10, team.",
              "nothing was changed (--dry-run)");
      assertThat(run("show", "--list").printed()).hasLineCount(1);

      assertThat(run("apply", second.toString()).printed()).contains("applied as version 2");
      awaitVersion(topology, 2);
      await()
          .untilAsserted(
              () ->
                  assertThat(knownSeries())
                      .filteredOn(series -> series.policy().equals("team"))
                      .hasSize(SERIES / 2));
      assertThat(run("diff", second.toString()).printed()).contains("no difference");
      assertThat(run("apply", second.toString()).printed()).contains("no difference");

      topology.kill();
      topology.start();
      awaitVersion(topology, 2);
      assertThat(run("show").printed()).as("the file is older").endsWith(SECOND);
      run("apply", first.toString());
      awaitVersion(topology, 3);
      shouldTellWhoLosesOfTwo(topology);
      assertThat(run("show", "--version=1").printed()).endsWith(FIRST);
    }
    assertThat(run("show", "--version=99").errors()).contains("there is no version 99");
  }

  /** Of files that are applied at the same time each is a version, or is refused. */
  private void shouldTellWhoLosesOfTwo(TopologyProcess topology) throws Exception {
    Map<Path, Process> applies = new HashMap<>();
    for (String step : List.of("2s", "5s")) {
      Path file =
          Files.writeString(dir.resolve(step + ".yaml"), FIRST.replace("1s:1h", step + ":1h"));
      applies.put(
          file,
          new ProcessBuilder(
                  JavaCommand.of(
                      System.getProperty("java.class.path"),
                      List.of(),
                      Main.class.getName(),
                      "policies",
                      "apply",
                      file.toString(),
                      "--config=" + settings))
              .redirectErrorStream(true)
              .start());
    }
    int version = 3;
    for (var apply : applies.entrySet()) {
      String output = new String(apply.getValue().getInputStream().readAllBytes(), UTF_8);
      if (apply.getValue().waitFor() == 0) {
        version++;
        String number = output.substring(output.lastIndexOf(' ') + 1).strip();
        assertThat(run("show", "--version=" + number).printed())
            .endsWith(Files.readString(apply.getKey()));
      } else {
        assertThat(output).contains("(version 4, applied 20", "apply it again");
      }
    }
    awaitVersion(topology, version);
  }

  @Test
  void shouldNameWhatIsWrong() throws Exception {
    Path wrong = Files.writeString(dir.resolve("wrong.yaml"), FIRST.replace("1s:1h", "1s:61m1"));
    settings = Files.writeString(dir.resolve("none.properties"), "state.dir=x\n");
    assertThat(run("apply", wrong.toString()).errors())
        .contains("wrong.yaml", "'61m1' is not a length of time", "policies[0].archives[0]");
  }

  private static void awaitVersion(TopologyProcess topology, int version) {
    await()
        .until(
            () -> sum(topology, "rondo_consolidate_policy_version"),
            sum -> sum == PARTITIONS * version);
  }

  /** The series that the topology has committed. */
  private Collection<KnownSeries.Series> knownSeries() throws Exception {
    return KnownSeries.read(TopologyConfig.read(Optional.of(settings), Map.of()), each -> true)
        .values();
  }

  /** Sum of a gauge of all tasks. */
  private static double sum(TopologyProcess topology, String gauge) throws Exception {
    return topology
        .get("/metrics")
        .lines()
        .filter(line -> line.startsWith(gauge + "{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf("} ") + 2)))
        .sum();
  }

  private CommandRun run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--config=" + settings);
    return CommandRun.of(Commands.commandLine(new PoliciesCommand()), all.toArray(String[]::new));
  }

  private void send() throws Exception {
    long nowS = System.currentTimeMillis() / 1000;
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(kafka.client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int n = 0; n < SERIES; n++) {
        String name = (n % 2 == 0 ? "team." : "other.") + "s" + n;
        for (int ago = 3; ago >= 0; ago--) {
          byte[] line = "%s 1 %d%n".formatted(name, nowS - ago).getBytes(UTF_8);
          producer.send(new ProducerRecord<>(points, line)).get();
        }
      }
    }
  }
}
