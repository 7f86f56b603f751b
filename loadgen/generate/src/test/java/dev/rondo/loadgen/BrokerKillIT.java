package dev.rondo.loadgen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.KafkaBroker;
import dev.rondo.testbed.KafkaSpace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.ExitCode;

/** The broker is killed under load: the plan says which points it has. */
@Tag("long")
class BrokerKillIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path dir;

  private KafkaBroker broker;
  private LoadRuns runs;

  @BeforeEach
  void start() {
    broker = KafkaBroker.start(dir.resolve("kafka"), 0);
    runs = new LoadRuns(new KafkaSpace(broker.bootstrap(), "load"), dir);
  }

  @AfterEach
  void end() {
    broker.close();
  }

  @Test
  void shouldNeitherLoseNorReorderPoints() throws Exception {
    String topic = runs.newTopic("killed");
    List<String> arguments = runs.arguments(topic, "--shape", "disorder", "--batch", "5");
    String load = "--series 500 --rate 20000 --seconds 6 --producer buffer.memory=1500000";
    CompletableFuture<Integer> code =
        CompletableFuture.supplyAsync(() -> runs.execute(arguments, load.split(" ")));
    await().atMost(PATIENCE).until(() -> runs.records(topic) > 5000);

    broker.kill();
    broker = KafkaBroker.start(dir.resolve("kafka"), broker.port());

    assertThat(code.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(ExitCode.OK);
    PlanText plan = PlanText.read(runs.planFile(topic));
    assertThat(plan.number("acked")).isEqualTo(120_000);
    assertThat(plan.number("failed")).isZero();
    assertThat(runs.found(topic, "native").bySeries).isEqualTo(plan.pointsBySeries());
  }

  @Test
  void shouldReportFailedPointsWhenEndedWithoutABroker() throws Exception {
    String topic = runs.newTopic("abandoned");
    Path out = dir.resolve("abandoned.out");
    String load = "--rate 20000 --series 1000 --producer buffer.memory=600000";
    Process process = runs.start(topic, out, load.split(" "));
    await().atMost(PATIENCE).until(() -> runs.records(topic) > 1000);
    broker.kill();
    var sent = new AtomicLong(-1);
    await() // the buffer is full
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(3))
        .until(
            () -> {
              long now = PlanText.read(runs.planFile(topic)).number("sent");
              return sent.getAndSet(now) == now;
            });

    process.destroy();

    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(ExitCode.SOFTWARE);
    PlanText plan = PlanText.read(runs.planFile(topic));
    assertThat(plan.isFinished()).isFalse();
    assertThat(plan.number("failed")).isPositive();
    assertThat(plan.number("acked") + plan.number("failed")).isEqualTo(plan.number("sent"));
    assertThat(Files.readString(out)).contains("\"finished\" : false", "\"failure\" : \"");
  }
}
