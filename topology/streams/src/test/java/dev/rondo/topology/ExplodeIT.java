package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.TopologyProcess;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A label that has a new value in every point must not affect other series. */
class ExplodeIT {
  private static final int HEAP_MB = 128;
  private static final int NEW = 300_000;
  private static final int KNOWN = 1_000;
  private static final String POLICIES =
      """
      policies:
        - {name: web, match: '^web', step: 10s, archives: ["10s:6h", "1m:7d", "1h:1y"]}
        - {name: rest, match: '.*', step: 10s, archives: ["10s:6h", "1m:7d", "1h:1y"]}
      """;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  private final KafkaSpace kafka = TestBed.kafka();
  private final String points = kafka.source("points");
  private TopologyProcess topology;

  @BeforeEach
  void start() throws Exception {
    Path policies = Files.writeString(dir.resolve("policies.yaml"), POLICIES);
    topology =
        new TopologyProcess(dir, kafka.bootstrap())
            .set("rondo.prefix", kafka.prefix())
            .set("sources", points + "=graphite")
            .set("sources.create", true)
            .set("partitions", 4)
            .set("policies.file", policies);
  }

  @AfterEach
  void stop() {
    topology.close();
  }

  /** Both policies together would allow two million of these series. */
  @Test
  @Tag("long")
  void shouldRejectSeriesBeyondTheHeapAndSurviveAKill() throws Exception {
    topology.heap(HEAP_MB + "m").set("new.series.burst", 10 * NEW).start();
    long t = System.currentTimeMillis() / 1000 - 600;
    send(KNOWN, "known.s%d 1 %d", t);
    awaitAccounted(KNOWN);
    send(NEW, "web.hits;request=0123456789abcdef%d 1 %d", t);
    awaitAccounted(KNOWN + NEW);
    double refused = topology.dropped("no-memory");
    assertThat(refused).isBetween(NEW / 10.0, NEW * 0.9);
    assertThat(topology.metric("rondo_memory_bytes{account=\"series\"}"))
        .isBetween((HEAP_MB - 32) * 450_000.0, (HEAP_MB - 32) * 550_000.0);

    awaitCommitted(); // else the last points are processed, and counted, again
    topology.kill();
    topology.start();
    send(KNOWN, "known.s%d 2 %d", t + 10);
    awaitAccounted(KNOWN);
    assertThat(topology.dropped("no-memory")).isZero();
    send(100, "rest.too;many=%d 1 %d", t + 10);
    awaitAccounted(KNOWN + 100);
    assertThat(topology.dropped("no-memory")).isEqualTo(100);
  }

  @Test
  void shouldAcceptABurstAndCountTheRest() throws Exception {
    topology.set("new.series.burst", 4_000).set("new.series.max.per.second", 1).start();
    long t = System.currentTimeMillis() / 1000 - 600;
    send(KNOWN, "known.s%d 1 %d", t);
    send(10_000, "web.hits;request=%d 1 %d", t);
    send(KNOWN, "known.s%d 2 %d", t + 10);
    awaitAccounted(2L * KNOWN + 10_000);
    assertThat(topology.dropped("too-many-new-series")).isEqualTo(10_000 + KNOWN - 4_000);
    assertThat(topology.dropped("late")).isZero();
  }

  private void send(int series, String line, long t) throws Exception {
    List<Future<?>> sent = new ArrayList<>();
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(kafka.client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int from = 0; from < series; from += 100) {
        StringBuilder lines = new StringBuilder();
        for (int n = from; n < Math.min(series, from + 100); n++) {
          lines.append(line.formatted(n, t)).append('\n');
        }
        byte[] value = lines.toString().getBytes(StandardCharsets.UTF_8);
        sent.add(producer.send(new ProducerRecord<>(points, value)));
      }
    }
    for (Future<?> each : sent) {
      each.get();
    }
  }

  /** Waits until this many points were stored or counted as dropped since the start. */
  private void awaitAccounted(long points) {
    await("points accounted for")
        .atMost(Duration.ofMinutes(5))
        .untilAsserted(
            () ->
                assertThat(
                        topology.metric("rondo_consolidate_points_total")
                            + topology.dropped("no-memory")
                            + topology.dropped("too-many-new-series"))
                    .isEqualTo((double) points));
  }

  /** Everything processed by now is committed after two more commits. */
  private void awaitCommitted() throws Exception {
    double commits = commits();
    await().until(() -> commits() >= commits + 2);
  }

  private double commits() throws Exception {
    return topology
        .get("/metrics")
        .lines()
        .filter(line -> line.startsWith("kafka_stream_thread_commit_total{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
