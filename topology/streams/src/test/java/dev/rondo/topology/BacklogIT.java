package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.NewTopics;
import dev.rondo.embedded.TopologyProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Future;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads backlogs of points without keys from a topic that was read before. No point may be late,
 * whatever the record times are.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BacklogIT {
  private static final int MINUTE_S = 60;
  private static final int DAY_S = 86_400;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path dir;

  private KafkaBroker kafka;
  private String topic;
  private int partitions;
  private boolean isSendersTime;
  private final Random random = new Random(1);
  private final List<Future<RecordMetadata>> sent = new ArrayList<>();

  @BeforeAll
  void start() {
    kafka = KafkaBroker.start(dir.resolve("kafka"), 0);
  }

  @AfterAll
  void stop() {
    kafka.close();
  }

  @Test
  void shouldStoreAQuarterOfAnHourWithSendersTimes() throws Exception {
    create("exact", "CreateTime", 16);
    shouldStore(300, 15 * MINUTE_S, 1, 0);
  }

  @Test
  void shouldStorePointsOfSendersWithClocksAMinuteOff() throws Exception {
    create("skewed", "CreateTime", 64);
    shouldStore(200, 10 * MINUTE_S, 1, 60);
  }

  @Test
  void shouldStorePointsOfDays() throws Exception {
    create("days", "CreateTime", 8);
    shouldStore(50, 2 * DAY_S, 10 * MINUTE_S, 60);
  }

  @Test
  void shouldStorePointsWithBrokersTimes() throws Exception {
    create("appended", "LogAppendTime", 16);
    shouldStore(300, 5 * MINUTE_S, 1, 60);
  }

  private void create(String name, String timestamps, int count) throws Exception {
    topic = name;
    partitions = count;
    isSendersTime = timestamps.equals("CreateTime");
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()))) {
      var missing =
          new NewTopic(topic, Optional.of(partitions), Optional.empty())
              .configs(Map.of(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, timestamps));
      NewTopics.create(admin, List.of(missing));
    }
  }

  /**
   * Each host sends a point every {@code stepS}; every tenth host sends the last third of its
   * points at once.
   */
  private void shouldStore(int hosts, int seconds, int stepS, int skewS) throws Exception {
    Path folder = Files.createDirectory(dir.resolve(topic));
    TopologyProcess topology =
        new TopologyProcess(folder, kafka.bootstrap())
            .set("application.id", topic)
            .set("sources", topic + "=graphite");
    try (topology) {
      topology.start();
      awaitProgress();
    }
    int points = send(hosts, seconds, stepS, skewS);
    try (topology) {
      topology.start();
      await()
          .atMost(Duration.ofMinutes(3))
          .until(
              () ->
                  topology.metric("rondo_consolidate_points_total") + topology.dropped("late")
                      >= points);
      assertThat(topology.dropped("late")).isZero();
      assertThat(topology.metric("rondo_merge_evicted_points_total")).isZero();
      String merged = "{source=\"%s\",stage=\"merged\"}".formatted(topic);
      assertThat(topology.metric("rondo_lag_seconds_count" + merged)).isEqualTo(points);
      if (isSendersTime) { // these records arrived over all that time
        assertThat(topology.metric("rondo_lag_seconds_sum" + merged) / points)
            .isGreaterThan(seconds / 3.0);
      }
    }
  }

  /** The progress that was reported for an empty topic is still there when it has points. */
  private void awaitProgress() throws Exception {
    var bySeries = new TopicPartition(topic + "-by-series-repartition", 0);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()))) {
      await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () ->
                  admin
                          .listOffsets(Map.of(bySeries, OffsetSpec.latest()))
                          .partitionResult(bySeries)
                          .get()
                          .offset()
                      > 0);
    }
  }

  private int send(int hosts, int seconds, int stepS, int skewS) {
    int[] skewsS = random.ints(hosts, -skewS, skewS + 1).toArray();
    long sinceS = System.currentTimeMillis() / 1000 - seconds - MINUTE_S;
    sent.clear();
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrap(), "linger.ms", 20),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int s = 0; s < seconds; s += stepS) {
        for (int host = 0; host < hosts; host++) {
          if (host % 10 > 0 || s < 2 * seconds / 3) {
            send(producer, host, sinceS + s + skewsS[host], sinceS + s + skewsS[host]);
          }
        }
      }
      for (int host = 0; host < hosts; host += 10) {
        for (int s = (2 * seconds / 3 + stepS - 1) / stepS * stepS; s < seconds; s += stepS) {
          long kept = sinceS + s + skewsS[host];
          send(producer, host, kept, sinceS + seconds + skewsS[host]);
        }
      }
    }
    assertThat(sent).allSatisfy(record -> assertThat(record.get().hasOffset()).isTrue());
    return sent.size();
  }

  private void send(Producer<byte[], byte[]> producer, int host, long pointS, long recordS) {
    byte[] line =
        "%s.h%d.load 1 %d%n".formatted(topic, host, pointS).getBytes(StandardCharsets.UTF_8);
    int partition = random.nextInt(partitions);
    sent.add(producer.send(new ProducerRecord<>(topic, partition, recordS * 1000, null, line)));
  }
}
