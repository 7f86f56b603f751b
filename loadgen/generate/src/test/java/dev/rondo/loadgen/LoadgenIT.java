package dev.rondo.loadgen;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.FreePort;
import dev.rondo.loadgen.send.Keys;
import dev.rondo.testbed.TestBed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ExitCode;

/** The command against a real broker: the topic holds exactly the points of the plan. */
class LoadgenIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir static Path dir;

  private static LoadRuns runs;

  @BeforeAll
  static void start() {
    runs = new LoadRuns(TestBed.kafka(), dir);
  }

  @ParameterizedTest
  @CsvSource({
    "native,   native,     steady,    1,   series",
    "native,   native,     garbage,   7,   machine",
    "influx,   influx,     collectors, 20, random",
    "otlp,     otlp,       disorder,  7,   none",
  })
  void shouldSendWhatThePlanSays(
      String format, String decoder, String shape, String batch, String keys) throws Exception {
    sendWhatThePlanSays(format, decoder, shape, batch, keys);
  }

  @ParameterizedTest
  @Tag("long")
  @CsvSource({
    "native,   native,     late,      1,   none",
    "native,   native,     churn,     10,  machine",
    "native,   native,     duplicate, 300, none",
    "native,   native,     jitter,    1,   random",
    "native,   native,     duplicate, 1,   absent",
    "graphite, graphite,   gaps,      20,  machine",
  })
  void shouldSendWhatMorePlansSay(
      String format, String decoder, String shape, String batch, String keys) throws Exception {
    sendWhatThePlanSays(format, decoder, shape, batch, keys);
  }

  private void sendWhatThePlanSays(
      String format, String decoder, String shape, String batch, String keys) throws Exception {
    String topic = runs.newTopic(format + "-" + shape + "-" + keys);

    int code =
        runs.execute(
            runs.arguments(topic, "--format", format, "--shape", shape, "--batch", batch),
            ("--keys "
                    + keys
                    + " --rehearse 333 --start -1h --flat-out --series 240 --metrics 20 --rate 100"
                    + " --seconds 90")
                .split(" "));

    PlanText plan = PlanText.read(runs.planFile(topic));
    TopicPoints found = runs.found(topic, decoder);
    assertThat(code).isEqualTo(ExitCode.OK);
    assertThat(plan.isFinished()).isTrue();
    assertThat(plan.number("sent")).isEqualTo(plan.number("points")).isEqualTo(9000);
    assertThat(found.drops).isEqualTo(plan.number("garbage"));
    assertThat(found.bySeries.values().stream().mapToLong(List::size).sum())
        .isEqualTo(plan.number("acked"));
    if (Keys.of(keys).keepsOrder()) {
      assertThat(found.bySeries).isEqualTo(plan.pointsBySeries());
      assertThat(found.moved).isEmpty();
    } else {
      if (keys.equals("random")) { // without keys, Kafka may choose one partition for all batches
        assertThat(found.moved).isNotEmpty();
      }
      found.bySeries.values().forEach(points -> points.sort(null));
      assertThat(found.bySeries).isEqualTo(plan.pointsBySeries());
    }
  }

  @Test
  void shouldSendLinesOverTcp() throws Exception {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<String> received =
          CompletableFuture.supplyAsync(
              () -> {
                try (var socket = server.accept()) {
                  return new String(socket.getInputStream().readAllBytes(), US_ASCII);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      int code =
          Loadgen.commandLine()
              .execute(
                  ("--format graphite --run tcp --start -1h --flat-out --series 40 --rate 10"
                          + " --graphite 127.0.0.1:%d --plan %s")
                      .formatted(server.getLocalPort(), runs.planFile("tcp"))
                      .split(" "));

      List<String> lines = received.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).lines().toList();
      assertThat(code).isEqualTo(ExitCode.OK);
      assertThat(lines).hasSize(600).allMatch(line -> line.startsWith("load.tcp.m00000.metric"));
      assertThat(PlanText.read(runs.planFile("tcp")).number("acked")).isEqualTo(600);
    }
  }

  @Test
  void shouldFailWithoutAServer() {
    assertThat(
            Loadgen.commandLine()
                .execute(
                    "--format=graphite",
                    "--graphite=127.0.0.1:" + FreePort.choose(),
                    "--plan=" + runs.planFile("alone")))
        .isEqualTo(ExitCode.SOFTWARE);
  }

  @Test
  void shouldCreateATopicAndSendTheTimesOfSkewedClocks() throws Exception {
    String made = runs.kafka().source("made");

    int code =
        runs.execute(
            runs.arguments(made, "--partitions", "3", "--batch", "7"),
            "--clock-skew 60s --timestamps points --start -1h --flat-out --series 40 --metrics 10 --rate 10"
                .split(" "));

    PlanText plan = PlanText.read(runs.planFile(made));
    TopicPoints found = runs.found(made, "native");
    assertThat(code).isEqualTo(ExitCode.OK);
    assertThat(found.bySeries).isEqualTo(plan.pointsBySeries());
    assertThat(found.recordsOfTheirPoints).isEqualTo(found.records).isPositive();
    assertThat(runs.execute(runs.arguments(made, "--force"), "--partitions", "4"))
        .isEqualTo(ExitCode.USAGE);
  }

  @Test
  void shouldEndCleanlyOnSigterm() throws Exception {
    String topic = runs.newTopic("terminated");
    Path out = dir.resolve("terminated.out");
    Process process = runs.start(topic, out, "--rate", "5000", "--series", "1000");
    await().atMost(PATIENCE).until(() -> runs.records(topic) > 5000);

    process.destroy();

    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(ExitCode.OK);
    PlanText plan = PlanText.read(runs.planFile(topic));
    assertThat(plan.isFinished()).isFalse();
    assertThat(plan.number("sent")).isBetween(5000L, plan.number("points") - 1);
    assertThat(plan.number("acked")).isEqualTo(plan.number("sent"));
    assertThat(runs.found(topic, "native").bySeries).isEqualTo(plan.pointsBySeries());
    assertThat(Files.readString(out)).contains("\"finished\" : false", "\"failed\" : 0");
  }

  @Test
  void shouldRejectAMissingTopic() {
    String missing = runs.kafka().source("missing");
    assertThat(runs.execute(runs.arguments(missing), "--seconds", "1")).isEqualTo(ExitCode.USAGE);
    assertThat(runs.planFile(missing)).doesNotExist();
  }
}
