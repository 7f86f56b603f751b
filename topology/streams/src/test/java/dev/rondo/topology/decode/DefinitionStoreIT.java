package dev.rondo.topology.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.ChildProcess;
import dev.rondo.embedded.JavaCommand;
import dev.rondo.embedded.Launch;
import dev.rondo.embedded.NewTopics;
import dev.rondo.formats.catalog.Format;
import dev.rondo.formats.metrictank.Messages.Sent;
import dev.rondo.schemas.Point;
import dev.rondo.schemas.Topics;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Definitions of ids survive the process, on a real broker. */
class DefinitionStoreIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Sent IDLE = new Sent("cpu.idle", List.of("host=web01"));

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  private final int timeS = (int) (System.currentTimeMillis() / 1000);
  private final KafkaSpace kafka = TestBed.kafka();
  private final String source = kafka.source("mdm");
  private final String decoded = DecodeAlone.points(kafka.prefix());
  private Admin admin;
  private Producer<byte[], byte[]> producer;
  private Consumer<byte[], byte[]> points;
  private Consumer<byte[], byte[]> deadLetters;
  private ChildProcess decode;

  @BeforeEach
  void start() throws Exception {
    admin = Admin.create(kafka.client());
    NewTopics.create(
        admin,
        List.of(
            new NewTopic(source, 2, (short) 1),
            new NewTopic(decoded, 1, (short) 1),
            new NewTopic(kafka.topic("dead-letters"), 1, (short) 1)));
    producer =
        new KafkaProducer<>(kafka.client(), new ByteArraySerializer(), new ByteArraySerializer());
    points = consumer(decoded);
    deadLetters = consumer(kafka.topic("dead-letters"));
    startDecode();
  }

  private Consumer<byte[], byte[]> consumer(String topic) {
    Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                kafka.bootstrap(),
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(List.of(new TopicPartition(topic, 0)));
    return consumer;
  }

  private void startDecode() throws Exception {
    decode =
        ChildProcess.start(
            "decode",
            JavaCommand.of(
                System.getProperty("java.class.path"),
                List.of("-Xmx256m", "-Dlog4j2.configurationFile=log4j2.properties"),
                DecodeAlone.class.getName(),
                kafka.bootstrap(),
                dir.resolve("state").toString(),
                kafka.prefix(),
                source,
                Format.METRICTANK.name()),
            Map.of(),
            dir,
            Launch.to(dir.resolve("decode.log")));
  }

  @AfterEach
  void stop() {
    decode.close();
    points.close();
    deadLetters.close();
    producer.close();
    admin.close();
  }

  /**
   * Waits until the group is empty: a member that returns earlier keeps its partitions unchecked.
   */
  private void awaitEmptyGroup() {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                admin
                    .describeConsumerGroups(List.of(kafka.prefix()))
                    .describedGroups()
                    .get(kafka.prefix())
                    .get()
                    .members()
                    .isEmpty());
  }

  private void send(int partition, byte[] record) throws Exception {
    producer.send(new ProducerRecord<>(source, partition, null, record)).get();
  }

  private void awaitPoint(double value) {
    List<String> found = new ArrayList<>();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              points.poll(Duration.ofMillis(100)).forEach(record -> found.addAll(texts(record)));
              assertThat(found).containsExactly("cpu.idle;host=web01 " + value);
            });
  }

  private static List<String> texts(ConsumerRecord<byte[], byte[]> batch) {
    return Topics.POINTS_SERDE
        .deserializer()
        .deserialize(batch.topic(), batch.value())
        .getPoints()
        .stream()
        .map(DefinitionStoreIT::text)
        .toList();
  }

  private static String text(Point point) {
    return point.getIdent() + " " + point.getV();
  }

  private void awaitUnknownId() {
    List<String> reasons = new ArrayList<>();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              deadLetters
                  .poll(Duration.ofMillis(100))
                  .forEach(
                      deadLetter ->
                          reasons.add(
                              new String(
                                  deadLetter.headers().lastHeader("rondo.reason").value(),
                                  StandardCharsets.UTF_8)));
              assertThat(reasons).containsExactly("unknown-id");
            });
  }

  @Test
  void shouldKnowIdsAfterAKill() throws Exception {
    send(1, IDLE.data(1, timeS));
    awaitPoint(1);
    decode.kill();
    startDecode();
    send(1, IDLE.point(2, timeS));
    awaitPoint(2);
    send(0, IDLE.point(3, timeS));
    awaitUnknownId();
  }

  @Test
  @Tag("long")
  void shouldKnowIdsAfterTheTopicHasGrown() throws Exception {
    send(1, IDLE.data(1, timeS));
    awaitPoint(1);
    decode.kill();
    String changelog = kafka.prefix() + "-definitions-changelog";
    NewPartitions three = NewPartitions.increaseTo(3);
    admin.createPartitions(Map.of(source, three)).all().get();
    awaitEmptyGroup();
    startDecode();
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                Files.readString(dir.resolve("decode.log"))
                    .contains(changelog + " has invalid partitions: expected: 3; actual: 2"));
    decode.kill();
    admin.createPartitions(Map.of(changelog, three)).all().get();
    awaitEmptyGroup();
    startDecode();
    send(1, IDLE.point(2, timeS));
    awaitPoint(2);
    send(2, IDLE.point(3, timeS));
    awaitUnknownId();
    send(2, IDLE.data(4, timeS));
    awaitPoint(4);
  }
}
