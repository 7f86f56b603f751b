package dev.rondo.history.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.TopologyProcess;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import dev.rondo.topology.config.TopologyConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker does not store, which is a topology. */
class NotStoredIT {
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
            .set("partitions", 2);
    worker.start();
  }

  @AfterEach
  void stop() {
    worker.close();
  }

  private NotStored notStored() throws Exception {
    return NotStored.read(TopologyConfig.read(Optional.of(worker.settings()), Map.of()));
  }

  private void send(String lines) throws Exception {
    try (var producer =
        new KafkaProducer<>(kafka.client(), new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>(kafka.source("old"), lines)).get();
    }
  }

  @Test
  void shouldTellWhatWasNotStored() throws Exception {
    long nowS = System.currentTimeMillis() / 1000;
    assertThat(notStored().note()).isEmpty();

    send("a.b 1 %d%nhalf a%nline%na.c 2 %d%n".formatted(nowS, nowS + 7200));

    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () ->
                assertThat(notStored().note())
                    .isEqualTo("not stored: points 1 too-far-in-the-future, 2 unreadable"));
    assertThat(notStored().examples())
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("not stored: unreadable, record " + kafka.source("old"))
                    .contains("half a"));
  }

  @Test
  void shouldTellWhatIsNoDeadLetter() throws Exception {
    var drops = new WorkerDrops();
    drops.started(1, worker.httpPort());
    long nowS = System.currentTimeMillis() / 1000;
    send("a.b 1 %d%na.b 2 %d%na.b 3 %d%n".formatted(nowS - 10, nowS - 30, nowS - 20));

    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              drops.look();
              assertThat(drops.note()).isEqualTo("dropped: points 2 late");
            });
    worker.kill();
    drops.look();
    drops.started(1, 1);
    assertThat(drops.note()).isEqualTo("dropped: points 2 late");
  }
}
