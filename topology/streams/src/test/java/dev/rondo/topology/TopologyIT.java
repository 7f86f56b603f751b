package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.TopologyProcess;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.BundleRowKey;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.TopicNames;
import dev.rondo.schemas.Topics;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the topology as a separate process on a real broker and kills it while it works. Each test
 * continues from the state of the previous one.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class TopologyIT {
  private static final int SERIES = 50;
  private static final int ROUNDS = 400;
  private static final long POINT_STEP_MS = 5_000;

  private static final int UNREADABLE = 40_000;

  /** Long past, aligned on an hour. */
  private static final long BASE_MS = 1_699_920_000_000L;

  /** After the points of the previous test. */
  private static final long BACKLOG_MS = BASE_MS + 3_600_000;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path dir;

  private final KafkaSpace kafka = TestBed.kafka();
  private final TopicNames names = TopicNames.of(kafka.prefix());
  private final String points = kafka.source("points");
  private TopologyProcess topology;

  @BeforeAll
  void start() {
    topology =
        new TopologyProcess(dir, kafka.bootstrap())
            .set("rondo.prefix", kafka.prefix())
            .set("sources", points)
            .set("sources.create", true)
            .set("max.age.ms", Long.MAX_VALUE)
            .set("partitions", 4)
            .set("width", 20);
    topology.start();
  }

  @AfterAll
  void stop() {
    topology.close();
  }

  @Test
  @Order(1)
  void shouldCreateItsTopicsWithAppendTime() throws Exception {
    try (Admin admin = Admin.create(kafka.client())) {
      assertThat(admin.listTopics().names().get())
          .contains(
              points,
              kafka.topic("series"),
              kafka.topic("bundle-rows"),
              kafka.topic("dead-letters"),
              kafka.prefix() + "-by-series-repartition",
              kafka.prefix() + "-segments-changelog",
              kafka.prefix() + "-merge-buffer-changelog",
              kafka.prefix() + "-locations-changelog");
      var resource = new ConfigResource(ConfigResource.Type.TOPIC, kafka.topic("bundle-rows"));
      var config = admin.describeConfigs(List.of(resource)).all().get().get(resource);
      assertThat(config.get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG).value())
          .isEqualTo("LogAppendTime");
    }
    assertThat(topology.get("/metrics")).contains("rondo_decode_points_total 0.0");
  }

  @Test
  @Order(2)
  void shouldPutEveryPointIntoItsSlotOnceWhenKilled() throws Exception {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (Producer<byte[], byte[]> producer = producer()) {
      for (int round = 0; round <= ROUNDS; round++) {
        sent.add(producer.send(new ProducerRecord<>(points, lines(round))));
        if (round == ROUNDS / 2) {
          producer.flush();
          await("rows of the first points").until(() -> rowsWritten() > 0);
          topology.kill();
          topology.start();
        }
      }
    }
    assertThat(sent).allSatisfy(future -> assertThat(future.get().hasOffset()).isTrue());
    Map<String, Map<Long, Double>> slots = new TreeMap<>();
    try (Consumer<String, SeriesEntry> series = consumer(names.of(Topics.SERIES));
        Consumer<BundleRowKey, BundleRow> rows = consumer(names.of(Topics.BUNDLE_ROWS))) {
      Map<String, String> identByLocation = new HashMap<>();
      await()
          .atMost(Duration.ofMinutes(3))
          .until(
              () -> {
                for (ConsumerRecord<String, SeriesEntry> entry : series.poll(Duration.ZERO)) {
                  String location = entry.value().getSeg() + "/" + entry.value().getPos();
                  String other = identByLocation.put(location, entry.key());
                  assertThat(other).as("series at " + location).isIn(null, entry.key());
                }
                return identByLocation.size() == SERIES;
              });
      await()
          .atMost(Duration.ofMinutes(3))
          .untilAsserted(
              () -> {
                rows.poll(Duration.ofMillis(100))
                    .forEach(row -> collect(row.value(), identByLocation, slots));
                assertThat(slots).isEqualTo(model());
              });
    }
    assertThat(topology.get("/metrics")).contains("rondo_drops_points_total{reason=\"late\"} 0.0");
  }

  /**
   * One hour of records: the series of half the hosts use all partitions, those of the other half
   * make one partition by far the largest.
   */
  @Test
  @Order(3)
  @Tag("long")
  void shouldProcessABacklogInTimeOrder() throws Exception {
    topology.close();
    int hosts = Integer.getInteger("rondo.it.hosts", 40);
    int rounds = Integer.getInteger("rondo.it.rounds", 360);
    int seriesOfHost = 50;
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (Producer<byte[], byte[]> producer = producer()) {
      for (int round = 0; round < rounds; round++) {
        for (int host = 0; host < hosts; host++) {
          int partition = host % 2 == 0 ? 0 : (host + round) % 4;
          StringBuilder text = new StringBuilder();
          for (int s = 0; s < seriesOfHost; s++) {
            text.append(
                "backlog.h%d.s%d %d %d%n"
                    .formatted(host, s, round, BACKLOG_MS / 1000 + 10L * round));
          }
          byte[] value = text.toString().getBytes(StandardCharsets.UTF_8);
          sent.add(producer.send(new ProducerRecord<>(points, partition, null, value)));
        }
        producer.flush(); // rounds are ten seconds apart
      }
    }
    assertThat(sent).allSatisfy(future -> assertThat(future.get().hasOffset()).isTrue());
    topology.start();
    long points = (long) hosts * rounds * seriesOfHost;
    await()
        .atMost(Duration.ofMinutes(3))
        .until(
            () ->
                topology.metric("rondo_consolidate_points_total") + topology.dropped("late")
                    >= points);
    assertThat(topology.dropped("late")).isZero();
  }

  /**
   * Many records pass through Kafka Streams as one: a commit in between covers decoded ones only.
   */
  @Test
  @Order(4)
  @Tag("long")
  void shouldCommitNoRecordBeforeItIsDecoded() throws Exception {
    topology.close();
    var source = new TopicPartition(points, 3);
    long begin = committed(source);
    byte[] unreadable = new byte[300]; // becomes a dead letter with its offset
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (Producer<byte[], byte[]> producer = producer()) {
      for (int n = 0; n < UNREADABLE; n++) {
        sent.add(producer.send(new ProducerRecord<>(points, 3, null, unreadable)));
      }
    }
    assertThat(sent.get(UNREADABLE - 1).get().offset()).isEqualTo(begin + UNREADABLE - 1);
    topology.set("commit.interval.ms", 10).start();
    await()
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofMillis(10))
        .until(() -> committed(source) > begin);
    topology.kill();

    await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(
            () ->
                assertThat(unreadableOffsets())
                    .containsExactlyElementsOf(offsets(begin, committed(source))));
    assertThat(committed(source))
        .as("it was killed before the last record")
        .isLessThan(begin + UNREADABLE);

    topology.start();
    await().atMost(Duration.ofMinutes(2)).until(() -> committed(source) == begin + UNREADABLE);
    assertThat(unreadableOffsets()).containsExactlyElementsOf(offsets(begin, begin + UNREADABLE));
  }

  private long committed(TopicPartition source) throws Exception {
    try (Admin admin = Admin.create(kafka.client())) {
      var offsets =
          admin.listConsumerGroupOffsets(kafka.prefix()).partitionsToOffsetAndMetadata().get();
      return offsets.get(source).offset();
    }
  }

  private static List<Long> offsets(long from, long to) {
    return LongStream.range(from, to).boxed().toList();
  }

  /** Sorted offsets of the records that have become dead letters. */
  private List<Long> unreadableOffsets() {
    List<Long> offsets = new ArrayList<>();
    try (Consumer<byte[], byte[]> deadLetters = consumer(names.of(Topics.DEAD_LETTERS))) {
      var ends = deadLetters.endOffsets(deadLetters.assignment());
      while (ends.entrySet().stream()
          .anyMatch(e -> deadLetters.position(e.getKey()) < e.getValue())) {
        for (ConsumerRecord<byte[], byte[]> deadLetter : deadLetters.poll(Duration.ofMillis(100))) {
          byte[] offset = deadLetter.headers().lastHeader("rondo.offset").value();
          offsets.add(Long.valueOf(new String(offset, StandardCharsets.UTF_8)));
        }
      }
    }
    Collections.sort(offsets);
    return offsets;
  }

  /** One record with a point of each series, like a collector's batch. */
  private static byte[] lines(int round) {
    StringBuilder text = new StringBuilder();
    for (int s = 0; s < SERIES; s++) {
      long second = (BASE_MS + round * POINT_STEP_MS) / 1000;
      text.append("it.s").append(s).append(' ').append(value(s, round));
      text.append(' ').append(second).append('\n');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static double value(int series, int round) {
    return series * 1000 + round;
  }

  /** Two points of 5 s in each slot of 10 s: the slot is their mean. */
  private static Map<String, Map<Long, Double>> model() {
    Map<String, Map<Long, Double>> model = new TreeMap<>();
    for (int s = 0; s < SERIES; s++) {
      Map<Long, Double> slots = new TreeMap<>();
      for (int round = 2; round <= ROUNDS; round += 2) {
        slots.put(BASE_MS + round * POINT_STEP_MS, (value(s, round - 1) + value(s, round)) / 2);
      }
      model.put("it.s" + s, slots);
    }
    return model;
  }

  private static void collect(
      BundleRow row, Map<String, String> identByLocation, Map<String, Map<Long, Double>> slots) {
    if (row.getStepMs() != 10_000) {
      return;
    }
    for (int p = 0; p < row.getDp().size(); p++) {
      double value = row.getDp().get(p);
      if (!Double.isNaN(value)) {
        String ident = identByLocation.get(row.getSeg() + "/" + (p + 1));
        Double before = slots.computeIfAbsent(ident, i -> new TreeMap<>()).put(row.getT(), value);
        assertThat(before).as(ident + " at " + row.getT()).isIn(null, value);
      }
    }
  }

  private long rowsWritten() {
    try (Consumer<BundleRowKey, BundleRow> consumer = consumer(names.of(Topics.BUNDLE_ROWS))) {
      return consumer.endOffsets(consumer.assignment()).values().stream()
          .mapToLong(Long::longValue)
          .sum();
    }
  }

  private Producer<byte[], byte[]> producer() {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", kafka.bootstrap(), "linger.ms", 0),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private <K, V> Consumer<K, V> consumer(Topic<K, V> topic) {
    Consumer<K, V> consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                kafka.bootstrap(),
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed"),
            topic.keySerde().deserializer(),
            topic.valueSerde().deserializer());
    consumer.assign(
        consumer.partitionsFor(topic.name()).stream()
            .map(info -> new TopicPartition(topic.name(), info.partition()))
            .toList());
    return consumer;
  }
}
