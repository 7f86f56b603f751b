package dev.rondo.loadgen;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.FreePort;
import dev.rondo.embedded.JavaCommand;
import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.NewTopics;
import dev.rondo.loadgen.send.Keys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
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
  private static final int PARTITIONS = 4;

  /** The packaged command. */
  private static final String CLASS_PATH = "target/*:target/lib/*";

  @TempDir static Path dir;

  private static KafkaBroker broker;

  @BeforeAll
  static void start() {
    broker = KafkaBroker.start(dir.resolve("kafka"), 0);
  }

  @AfterAll
  static void end() {
    broker.close();
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
    String topic = newTopic(format + "-" + shape + "-" + keys);

    int code =
        execute(
            arguments(topic, "--format", format, "--shape", shape, "--batch", batch),
            ("--keys "
                    + keys
                    + " --rehearse 333 --start -1h --flat-out --series 240 --metrics 20 --rate 100"
                    + " --seconds 90")
                .split(" "));

    PlanText plan = PlanText.read(planFile(topic));
    TopicPoints found = TopicPoints.read(broker.bootstrap(), topic, decoder);
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
                      .formatted(server.getLocalPort(), planFile("tcp"))
                      .split(" "));

      List<String> lines = received.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).lines().toList();
      assertThat(code).isEqualTo(ExitCode.OK);
      assertThat(lines).hasSize(600).allMatch(line -> line.startsWith("load.tcp.m00000.metric"));
      assertThat(PlanText.read(planFile("tcp")).number("acked")).isEqualTo(600);
    }
  }

  @Test
  void shouldFailWithoutAServer() {
    assertThat(
            Loadgen.commandLine()
                .execute(
                    "--format=graphite",
                    "--graphite=127.0.0.1:" + FreePort.choose(),
                    "--plan=" + planFile("alone")))
        .isEqualTo(ExitCode.SOFTWARE);
  }

  @Test
  void shouldCreateATopicAndSendTheTimesOfSkewedClocks() throws Exception {
    int code =
        execute(
            arguments("made", "--partitions", "3", "--batch", "7"),
            "--clock-skew 60s --timestamps points --start -1h --flat-out --series 40 --metrics 10 --rate 10"
                .split(" "));

    PlanText plan = PlanText.read(planFile("made"));
    TopicPoints found = TopicPoints.read(broker.bootstrap(), "made", "native");
    assertThat(code).isEqualTo(ExitCode.OK);
    assertThat(found.bySeries).isEqualTo(plan.pointsBySeries());
    assertThat(found.recordsOfTheirPoints).isEqualTo(found.records).isPositive();
    assertThat(execute(arguments("made", "--force"), "--partitions", "4"))
        .isEqualTo(ExitCode.USAGE);
  }

  @Test
  @Tag("long")
  void shouldNeitherLoseNorReorderPointsWhenTheBrokerIsKilled() throws Exception {
    String topic = newTopic("killed");
    List<String> arguments = arguments(topic, "--shape", "disorder", "--batch", "5");
    String load = "--series 500 --rate 20000 --seconds 6 --producer buffer.memory=1500000";
    CompletableFuture<Integer> code =
        CompletableFuture.supplyAsync(() -> execute(arguments, load.split(" ")));
    await().atMost(PATIENCE).until(() -> records(topic) > 5000);

    broker.kill();
    broker = KafkaBroker.start(dir.resolve("kafka"), broker.port());

    assertThat(code.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(ExitCode.OK);
    PlanText plan = PlanText.read(planFile(topic));
    TopicPoints found = TopicPoints.read(broker.bootstrap(), topic, "native");
    assertThat(plan.number("acked")).isEqualTo(120_000);
    assertThat(plan.number("failed")).isZero();
    assertThat(found.bySeries).isEqualTo(plan.pointsBySeries());
  }

  @Test
  void shouldEndCleanlyOnSigterm() throws Exception {
    String topic = newTopic("terminated");
    Path out = dir.resolve("terminated.out");
    Process process = start(topic, out, "--rate", "5000", "--series", "1000");
    await().atMost(PATIENCE).until(() -> records(topic) > 5000);

    process.destroy();

    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(ExitCode.OK);
    PlanText plan = PlanText.read(planFile(topic));
    assertThat(plan.isFinished()).isFalse();
    assertThat(plan.number("sent")).isBetween(5000L, plan.number("points") - 1);
    assertThat(plan.number("acked")).isEqualTo(plan.number("sent"));
    assertThat(TopicPoints.read(broker.bootstrap(), topic, "native").bySeries)
        .isEqualTo(plan.pointsBySeries());
    assertThat(Files.readString(out)).contains("\"finished\" : false", "\"failed\" : 0");
  }

  @Test
  @Tag("long")
  void shouldReportFailedPointsWhenEndedWithoutABroker() throws Exception {
    String topic = newTopic("abandoned");
    Path out = dir.resolve("abandoned.out");
    String load = "--rate 20000 --series 1000 --producer buffer.memory=600000";
    Process process = start(topic, out, load.split(" "));
    await().atMost(PATIENCE).until(() -> records(topic) > 1000);
    broker.kill();
    var sent = new AtomicLong(-1);
    await() // the buffer is full
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(3))
        .until(
            () -> {
              long now = PlanText.read(planFile(topic)).number("sent");
              return sent.getAndSet(now) == now;
            });

    process.destroy();

    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(ExitCode.SOFTWARE);
    PlanText plan = PlanText.read(planFile(topic));
    assertThat(plan.isFinished()).isFalse();
    assertThat(plan.number("failed")).isPositive();
    assertThat(plan.number("acked") + plan.number("failed")).isEqualTo(plan.number("sent"));
    assertThat(Files.readString(out)).contains("\"finished\" : false", "\"failure\" : \"");
    broker = KafkaBroker.start(dir.resolve("kafka"), broker.port());
  }

  private static Process start(String topic, Path out, String... load) throws IOException {
    List<String> command = JavaCommand.of(CLASS_PATH, List.of("-Xmx256m"), Loadgen.class.getName());
    command.addAll(arguments(topic, load));
    command.addAll(List.of("--seconds", "600", "--json"));
    return new ProcessBuilder(command)
        .redirectOutput(out.toFile())
        .redirectError(Redirect.INHERIT) // a pipe that nobody reads would fill up
        .start();
  }

  @Test
  void shouldRejectAMissingTopic() {
    assertThat(execute(arguments("missing"), "--seconds", "1")).isEqualTo(ExitCode.USAGE);
    assertThat(planFile("missing")).doesNotExist();
  }

  private static List<String> arguments(String topic, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("--kafka", broker.bootstrap(), "--topic", topic));
    arguments.addAll(List.of("--plan", planFile(topic).toString()));
    arguments.addAll(List.of(more));
    return arguments;
  }

  private static Path planFile(String topic) {
    return dir.resolve("plans").resolve(topic + ".json");
  }

  private static int execute(List<String> arguments, String... more) {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(List.of(more));
    return Loadgen.commandLine().execute(all.toArray(String[]::new));
  }

  private static String newTopic(String name) throws Exception {
    try (Admin admin = admin()) {
      NewTopics.create(admin, List.of(new NewTopic(name, PARTITIONS, (short) 1)));
    }
    return name;
  }

  private static long records(String topic) throws IOException {
    try (Admin admin = admin()) {
      long records = 0;
      for (int partition = 0; partition < PARTITIONS; partition++) {
        var topicPartition = new TopicPartition(topic, partition);
        records +=
            admin
                .listOffsets(Map.of(topicPartition, OffsetSpec.latest()))
                .partitionResult(topicPartition)
                .get()
                .offset();
      }
      return records;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  private static Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", broker.bootstrap()));
  }
}
