package dev.rondo.history.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.TopologyProcess;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import dev.rondo.topology.config.TopologyConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker, which is a topology, does not store. */
class WorkerDropsIT {
  @TempDir Path dir;

  private final KafkaSpace kafka = TestBed.kafka();
  private TopologyProcess worker;

  @BeforeEach
  void start() {
    worker =
        new TopologyProcess(dir, kafka.bootstrap())
            .set("rondo.prefix", kafka.prefix())
            .set("sources", kafka.source("old") + "=graphite")
            .set("sources.create", true)
            .set("partitions", 2)
            .set("drops.file", drops());
    worker.start();
  }

  @AfterEach
  void stop() {
    worker.close();
  }

  private Path drops() {
    return dir.resolve("drops");
  }

  private void send(String lines) throws Exception {
    try (var producer =
        new KafkaProducer<>(kafka.client(), new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>(kafka.source("old"), lines)).get();
    }
  }

  private String notStored() throws Exception {
    return JobText.notStored(WorkerDrops.read(List.of(drops())).all());
  }

  @Test
  void shouldTellWhatAKilledWorkerHasDropped() throws Exception {
    long nowS = System.currentTimeMillis() / 1000;
    assertThat(notStored()).isEmpty();

    send(
        "a.b 1 %d%na.b 2 %d%na.b 3 %d%nhalf a%nline%na.c 2 %d%n"
            .formatted(nowS - 10, nowS - 30, nowS - 20, nowS + 7200));

    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () ->
                assertThat(notStored())
                    .isEqualTo("not stored: points 2 late, 1 too-far-in-the-future, 2 unreadable"));
    worker.kill();
    assertThat(WorkerDrops.read(List.of(drops())).passing()).isEmpty();
    var config = TopologyConfig.read(Optional.of(worker.settings()), Map.of());
    assertThat(DeadLetterExamples.read(config))
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("not stored: unreadable, record " + kafka.source("old"))
                    .contains("half a"));
  }
}
