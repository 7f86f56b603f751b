package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.NewTopics;
import dev.rondo.embedded.TopologyProcess;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Grown and new topics, while the topology runs and while it is stopped. */
class GrowthIT {
  private static final int SERIES = 40;
  private static final int ROUNDS = Integer.getInteger("rondo.it.rounds", 60);

  /** Past, aligned on an hour. */
  private static final long BASE_S = 1_699_920_000L;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  private final List<TopologyProcess> instances = new ArrayList<>();
  private final List<TopicPartition> partitions = new ArrayList<>();
  private final Random random = new Random(5);
  private final KafkaSpace kafka = TestBed.kafka();
  private final String keyed = kafka.source("keyed");
  private Admin admin;
  private Producer<byte[], byte[]> producer;
  private int rounds;

  @BeforeEach
  void start() {
    admin = Admin.create(kafka.client());
    producer = producer();
  }

  private Producer<byte[], byte[]> producer() {
    return new KafkaProducer<>(
        Map.of(
            "bootstrap.servers", kafka.bootstrap(), "linger.ms", 0, "metadata.max.age.ms", 1_000),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  @AfterEach
  void stop() {
    instances.forEach(TopologyProcess::close);
    producer.close();
    admin.close();
  }

  private TopologyProcess instance(String id) throws Exception {
    Path folder = Files.createDirectories(dir.resolve("instance-" + id));
    TopologyProcess instance =
        new TopologyProcess(folder, kafka.bootstrap())
            .set("rondo.prefix", kafka.prefix())
            .set("instance.id", id)
            .set("max.age.ms", Long.MAX_VALUE)
            .set("partitions", 4);
    instances.add(instance);
    return instance;
  }

  private Path sources(String yaml) throws Exception {
    return Files.writeString(dir.resolve("sources.yaml"), yaml);
  }

  private void create(String topic, int count) throws Exception {
    NewTopics.create(admin, List.of(new NewTopic(topic, count, (short) 1)));
    send(topic, 0, count);
  }

  private void grow(String topic, int from, int to) throws Exception {
    admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(to))).all().get();
    send(topic, from, to);
  }

  /**
   * Senders use the new partitions as soon as they have leaders; a sender with cached metadata
   * might not see them for minutes.
   */
  private void send(String topic, int from, int to) {
    producer.close();
    producer = producer();
    await("leaders of the partitions")
        .pollInterval(Duration.ofMillis(10))
        .until(
            () ->
                producer.partitionsFor(topic).stream().filter(p -> p.leader() != null).count()
                    == to);
    for (int p = from; p < to; p++) {
      partitions.add(new TopicPartition(topic, p));
    }
  }

  /** Sends each point without a key to any partition, once the previous one is written. */
  private void round() throws Exception {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (int s = 0; s < SERIES; s++) {
      TopicPartition to = partitions.get(random.nextInt(partitions.size()));
      byte[] line = line("s" + s);
      sent.add(producer.send(new ProducerRecord<>(to.topic(), to.partition(), null, line)));
    }
    awaitWritten(sent);
    rounds++;
  }

  private void awaitWritten(List<Future<RecordMetadata>> sent) throws Exception {
    producer.flush();
    for (Future<RecordMetadata> each : sent) {
      each.get();
    }
  }

  private byte[] line(String series) {
    String text = "grow.%s %d %d%n".formatted(series, rounds, BASE_S + 10L * rounds);
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void rounds(int count) throws Exception {
    for (int n = 0; n < count; n++) {
      round();
    }
  }

  private double sum(String metric) throws Exception {
    double sum = 0;
    for (TopologyProcess instance : instances) {
      sum += instance.metric(metric);
    }
    return sum;
  }

  private void assertAllStored() {
    await("all points")
        .untilAsserted(
            () -> {
              assertThat(sum("rondo_drops_points_total{reason=\"late\"}")).isZero();
              assertThat(sum("rondo_consolidate_points_total")).isEqualTo((double) SERIES * rounds);
            });
  }

  @Test
  void shouldStoreEveryPointOfNewPartitionsAndTopics() throws Exception {
    String a = kafka.source("metrics.a");
    String b = kafka.source("metrics.b");
    create(a, 2);
    String pattern = kafka.source("metrics") + "\\..*";
    Path sources = sources("sources: [{pattern: '%s', format: graphite}]".formatted(pattern));
    TopologyProcess first = instance("1").set("sources.file", sources);
    TopologyProcess second = instance("2").set("sources.file", sources);
    CompletableFuture.allOf(
            CompletableFuture.runAsync(first::start), CompletableFuture.runAsync(second::start))
        .join();

    rounds(ROUNDS);
    grow(a, 2, 7);
    rounds(ROUNDS);
    create(b, 3);
    rounds(ROUNDS);
    grow(b, 3, 5);
    rounds(ROUNDS);

    assertAllStored();
  }

  @Test
  @Tag("long")
  void shouldReadGrownSourcesAndRejectAGrownTopicOfRondoAtItsStart() throws Exception {
    String metrics = kafka.source("metrics");
    String rows = kafka.topic("bundle-rows");
    create(metrics, 1);
    TopologyProcess topology = instance("1").set("sources", metrics + "=graphite");
    topology.start();
    rounds(10);
    assertAllStored();
    topology.close(); // commits everything; metrics restart from 0
    grow(metrics, 1, 3);
    admin.createPartitions(Map.of(rows, NewPartitions.increaseTo(5))).all().get();

    topology.launch();
    assertThat(topology.awaitEnd()).isEqualTo(2);
    assertThat(dir.resolve("instance-1/topology.log"))
        .content()
        .contains("topic '%s' has 5 partitions and had 4".formatted(rows));
    topology.set("partitions.accepted", rows).start(); // returns at once: keeps its partitions

    rounds(ROUNDS);
    await("points of all partitions")
        .untilAsserted(
            () -> {
              assertThat(topology.dropped("late")).isZero();
              assertThat(topology.metric("rondo_consolidate_points_total"))
                  .isEqualTo((double) SERIES * ROUNDS);
            });
  }

  @Test
  @Tag("long")
  void shouldSetAGrownKeyedSourceAsideBeforeItMovesASeries() throws Exception {
    create(keyed, 2);
    Path sources =
        sources("sources: [{topic: %s, format: graphite, keyed: true}]".formatted(keyed));
    TopologyProcess topology = instance("1").set("sources.file", sources);
    topology.start();
    for (; rounds < 20; rounds++) {
      sendKeyed(2);
    }
    await("points")
        .until(() -> topology.metric("rondo_consolidate_points_total"), n -> n == SERIES * 20);
    Map<TopicPartition, Long> before = ends(keyed, 2);

    grow(keyed, 2, 4);
    for (; rounds < 40; rounds++) {
      sendKeyed(4);
    }

    String setAside = "rondo_sources_set_aside{reason=\"it is keyed, has 4 partitions and had 2";
    await("set aside").until(() -> topology.get("/metrics").contains(setAside));
    var committed =
        admin.listConsumerGroupOffsets(kafka.prefix()).partitionsToOffsetAndMetadata().get();
    committed.forEach(
        (partition, offset) -> {
          if (partition.topic().equals(keyed)) {
            assertThat(offset.offset()).isLessThanOrEqualTo(before.get(partition));
          }
        });
    topology.end();
    topology.start();
    await("set aside after a restart").until(() -> topology.get("/metrics").contains(setAside));
    topology.end();
    topology.set("partitions.accepted", keyed).start();
    await("points")
        .until(() -> topology.metric("rondo_consolidate_points_total"), n -> n >= SERIES * 20);
  }

  private void sendKeyed(int count) throws Exception {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (int s = 0; s < SERIES; s++) {
      byte[] key = ("s" + s).getBytes(StandardCharsets.UTF_8);
      sent.add(producer.send(new ProducerRecord<>(keyed, s % count, key, line("s" + s))));
    }
    awaitWritten(sent);
  }

  private Map<TopicPartition, Long> ends(String topic, int count) throws Exception {
    Map<TopicPartition, Long> ends = new HashMap<>();
    for (int p = 0; p < count; p++) {
      var partition = new TopicPartition(topic, p);
      var end = admin.listOffsets(Map.of(partition, OffsetSpec.latest()));
      ends.put(partition, end.partitionResult(partition).get().offset());
    }
    return ends;
  }
}
