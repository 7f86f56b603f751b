package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.NewTopics;
import dev.rondo.embedded.TopologyProcess;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads backlogs of unkeyed points from topics that were read before. No point may be late,
 * whatever the record times are.
 */
class BacklogIT {
  private static final int MINUTE_S = 60;
  private static final int DAY_S = 86_400;

  /**
   * Points of a topic: each host sends one every {@code stepS}; every tenth host sends the last
   * third of its points at once.
   *
   * @param skewS how far clocks of hosts are off, at most
   */
  private record Backlog(
      String topic,
      String timestamps,
      int partitions,
      int hosts,
      int seconds,
      int stepS,
      int skewS) {}

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  private final KafkaSpace kafka = TestBed.kafka();
  private final Random random = new Random(1);

  /** Of {@code n}, 8 {@code n}, {@code n} and 2 {@code n} partitions. */
  private List<Backlog> backlogs(int n, int hosts) {
    return List.of(
        new Backlog(kafka.source("exact"), "CreateTime", n, hosts, 15 * MINUTE_S, 1, 0),
        new Backlog(kafka.source("skewed"), "CreateTime", 8 * n, hosts, 10 * MINUTE_S, 1, 60),
        new Backlog(kafka.source("days"), "CreateTime", n, hosts / 2, 2 * DAY_S, 10 * MINUTE_S, 60),
        new Backlog(kafka.source("appended"), "LogAppendTime", 2 * n, hosts, 5 * MINUTE_S, 1, 60));
  }

  private void create(List<Backlog> backlogs) throws Exception {
    try (Admin admin = Admin.create(kafka.client())) {
      List<NewTopic> missing = new ArrayList<>();
      for (Backlog each : backlogs) {
        missing.add(
            new NewTopic(each.topic, Optional.of(each.partitions), Optional.empty())
                .configs(Map.of(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, each.timestamps)));
      }
      NewTopics.create(admin, missing);
    }
  }

  @Test
  void shouldStoreEveryPoint() throws Exception {
    shouldStore(backlogs(2, 40));
  }

  @Tag("long")
  @Test
  void shouldStoreEveryPointOfManyHosts() throws Exception {
    shouldStore(backlogs(8, 300));
  }

  private void shouldStore(List<Backlog> backlogs) throws Exception {
    create(backlogs);
    TopologyProcess topology =
        new TopologyProcess(dir, kafka.bootstrap())
            .set("rondo.prefix", kafka.prefix())
            .set(
                "sources",
                backlogs.stream()
                    .map(each -> each.topic + "=graphite")
                    .collect(Collectors.joining(",")));
    try (topology) {
      topology.start();
      awaitProgress();
    }
    Map<String, Integer> points = new HashMap<>();
    for (Backlog each : backlogs) {
      points.put(each.topic, send(each));
    }
    int all = points.values().stream().mapToInt(n -> n).sum();
    try (topology) {
      topology.start();
      await("all points")
          .atMost(Duration.ofMinutes(5))
          .until(
              () -> topology.metric("rondo_consolidate_points_total") + topology.dropped("late"),
              stored -> stored >= all);
      assertThat(topology.dropped("late")).isZero();
      assertThat(topology.metric("rondo_merge_evicted_points_total")).isZero();
      for (Backlog each : backlogs) {
        String merged = "{source=\"%s\",stage=\"merged\"}".formatted(each.topic);
        assertThat(topology.metric("rondo_lag_seconds_count" + merged))
            .as(each.topic)
            .isEqualTo((double) points.get(each.topic));
        if (each.timestamps.equals("CreateTime")) { // these arrived over all that time
          assertThat(topology.metric("rondo_lag_seconds_sum" + merged) / points.get(each.topic))
              .as(each.topic)
              .isGreaterThan(each.seconds / 3.0);
        }
      }
    }
  }

  /** The progress that was reported for empty topics is still there when they have points. */
  private void awaitProgress() throws Exception {
    var bySeries = new TopicPartition(kafka.source("by-series-repartition"), 0);
    try (Admin admin = Admin.create(kafka.client())) {
      await("progress of the sources")
          .until(
              () ->
                  admin
                      .listOffsets(Map.of(bySeries, OffsetSpec.latest()))
                      .partitionResult(bySeries)
                      .get()
                      .offset(),
              end -> end > 0);
    }
  }

  private int send(Backlog backlog) {
    int hosts = backlog.hosts;
    int seconds = backlog.seconds;
    int stepS = backlog.stepS;
    int skewS = backlog.skewS;
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    int[] skewsS = random.ints(hosts, -skewS, skewS + 1).toArray();
    long sinceS = System.currentTimeMillis() / 1000 - seconds - MINUTE_S;
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrap(), "linger.ms", 20),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int s = 0; s < seconds; s += stepS) {
        for (int host = 0; host < hosts; host++) {
          if (host % 10 > 0 || s < 2 * seconds / 3) {
            long sentS = sinceS + s + skewsS[host];
            sent.add(producer.send(point(backlog, host, sentS, sentS)));
          }
        }
      }
      for (int host = 0; host < hosts; host += 10) {
        for (int s = (2 * seconds / 3 + stepS - 1) / stepS * stepS; s < seconds; s += stepS) {
          long kept = sinceS + s + skewsS[host];
          sent.add(producer.send(point(backlog, host, kept, sinceS + seconds + skewsS[host])));
        }
      }
    }
    assertThat(sent).allSatisfy(record -> assertThat(record.get().hasOffset()).isTrue());
    return sent.size();
  }

  private ProducerRecord<byte[], byte[]> point(
      Backlog backlog, int host, long pointS, long recordS) {
    byte[] line =
        "%s.h%d.load 1 %d%n"
            .formatted(backlog.topic, host, pointS)
            .getBytes(StandardCharsets.UTF_8);
    int partition = random.nextInt(backlog.partitions);
    return new ProducerRecord<>(backlog.topic, partition, recordS * 1000, null, line);
  }
}
