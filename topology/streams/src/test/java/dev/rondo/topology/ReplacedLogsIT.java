package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.NewTopics;
import dev.rondo.embedded.TopologyProcess;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.BundleRowKey;
import dev.rondo.schemas.Topic;
import dev.rondo.schemas.TopicNames;
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
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Source topics that are recreated, or truncated past the committed position. */
class ReplacedLogsIT {
  private static final int FIRST = 1000;

  /** Past, aligned on an hour. */
  private static final long BASE_S = 1_699_920_000L;

  private static final long STEP_S = 10;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  private final KafkaSpace kafka = TestBed.kafka();
  private final TopicNames names = TopicNames.of(kafka.prefix());
  private final String metrics = kafka.source("metrics");
  private final TopicPartition partition = new TopicPartition(metrics, 0);
  private Admin admin;
  private TopologyProcess topology;
  private int written;

  @BeforeEach
  void start() throws Exception {
    admin = Admin.create(kafka.client());
    create();
  }

  @AfterEach
  void stop() {
    topology.close();
    admin.close();
  }

  private void launch(boolean keyed, String guarantee) throws Exception {
    Path sources =
        Files.writeString(
            dir.resolve("sources.yaml"),
            "sources: [{topic: %s, format: graphite, keyed: %s}]".formatted(metrics, keyed));
    topology =
        new TopologyProcess(dir, kafka.bootstrap())
            .set("rondo.prefix", kafka.prefix())
            .set("sources.file", sources)
            .set("max.age.ms", Long.MAX_VALUE)
            .set("processing.guarantee", guarantee)
            .set("partitions", 2);
    topology.start();
  }

  private void create() throws Exception {
    NewTopics.createAgain(admin, new NewTopic(metrics, 1, (short) 1));
  }

  private void recreate() throws Exception {
    admin.deleteTopics(List.of(metrics)).all().get();
    create();
  }

  /** Writes the next points of one series, each in its own record and slot. */
  private void write(int count) throws Exception {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(kafka.client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int n = 0; n < count; n++, written++) {
        String line = "replaced.a %d %d%n".formatted(written, BASE_S + STEP_S * written);
        byte[] value = line.getBytes(StandardCharsets.UTF_8);
        sent.add(producer.send(new ProducerRecord<>(metrics, 0, null, value)));
      }
    }
    for (Future<RecordMetadata> each : sent) {
      each.get();
    }
  }

  private OffsetAndMetadata committed() throws Exception {
    return admin
        .listConsumerGroupOffsets(kafka.prefix())
        .partitionsToOffsetAndMetadata()
        .get()
        .get(partition);
  }

  /** Waits until the session of the stopped instance is over. */
  private void commit(OffsetAndMetadata offset) {
    await("the group is empty")
        .ignoreExceptions()
        .until(
            () -> {
              admin
                  .alterConsumerGroupOffsets(kafka.prefix(), Map.of(partition, offset))
                  .all()
                  .get();
              return true;
            });
  }

  private void awaitCommitted(long offset) {
    await("committed position").until(this::committed, at -> at != null && at.offset() == offset);
  }

  /** All written slots but that of the first point, which only starts one. */
  private void assertAllStored() {
    long[] expected = LongStream.range(1, written).map(n -> 1000 * (BASE_S + STEP_S * n)).toArray();
    var stored = new TreeSet<Long>();
    try (Consumer<BundleRowKey, BundleRow> rows = consumer(names.of(Topics.BUNDLE_ROWS))) {
      await("all slots")
          .untilAsserted(
              () -> {
                for (ConsumerRecord<BundleRowKey, BundleRow> row :
                    rows.poll(Duration.ofMillis(100))) {
                  if (row.value().getStepMs() == 1000 * STEP_S
                      && row.value().getDp().stream().anyMatch(value -> !Double.isNaN(value))) {
                    stored.add(row.value().getT());
                  }
                }
                assertThat(stored).hasSize(expected.length);
              });
    }
    assertThat(stored.stream().mapToLong(Long::longValue).toArray()).isEqualTo(expected);
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

  private double ofSource(String metric) throws Exception {
    return topology.metric("%s{partition=\"0\",source=\"%s\"}".formatted(metric, metrics));
  }

  private void awaitReplaced() {
    await("the replaced log is counted")
        .ignoreExceptions()
        .until(() -> ofSource("rondo_sources_replaced_total"), count -> count == 1);
  }

  @ParameterizedTest
  @CsvSource("false, exactly_once_v2, 500")
  void shouldReadATopicThatWasRecreatedWhileStoppedFromItsBeginning(
      boolean keyed, String guarantee, int count) throws Exception {
    recreateWhileStopped(keyed, guarantee, count);
  }

  @ParameterizedTest
  @Tag("long")
  @CsvSource({
    "false, exactly_once_v2, 2000",
    "true, exactly_once_v2, 2000",
    "true, at_least_once, 2000"
  })
  void shouldReadAnyTopicThatWasRecreatedWhileStoppedFromItsBeginning(
      boolean keyed, String guarantee, int count) throws Exception {
    recreateWhileStopped(keyed, guarantee, count);
  }

  private void recreateWhileStopped(boolean keyed, String guarantee, int count) throws Exception {
    launch(keyed, guarantee);
    write(FIRST);
    awaitCommitted(FIRST);
    topology.end();
    OffsetAndMetadata previous = committed();
    recreate();
    await("Kafka deletes the position").until(() -> committed() == null);
    commit(previous); // as if __consumer_offsets were restored
    write(count);

    topology.start();

    assertAllStored();
    awaitReplaced();
    awaitCommitted(count);
    assertThat(topology.dropped("late")).isZero();
    topology.end();
    write(1);
    topology.start();
    assertAllStored();
    assertThat(ofSource("rondo_sources_replaced_total")).isZero();
  }

  @Test
  void shouldReadATopicThatIsRecreatedWhileRunningFromItsBeginning() throws Exception {
    recreateWhileRunning(false, 2000);
  }

  @ParameterizedTest
  @Tag("long")
  @CsvSource({"false, 500", "true, 2000", "true, 500"})
  void shouldReadAnyTopicThatIsRecreatedWhileRunningFromItsBeginning(boolean keyed, int count)
      throws Exception {
    recreateWhileRunning(keyed, count);
  }

  private void recreateWhileRunning(boolean keyed, int count) throws Exception {
    launch(keyed, "exactly_once_v2");
    write(FIRST);
    awaitCommitted(FIRST);

    topology.freeze(); // so that it continues where the new log has records too
    recreate();
    write(count);
    topology.resume();

    assertAllStored();
    awaitReplaced();
    awaitCommitted(count);
    assertThat(topology.dropped("late")).isZero();
  }

  @Test
  void shouldCountRecordsThatKafkaDeletedBeforeTheyWereRead() throws Exception {
    launch(false, "exactly_once_v2");
    write(FIRST);
    awaitCommitted(FIRST);
    topology.end();
    write(FIRST);
    var before = RecordsToDelete.beforeOffset(FIRST + 833);
    admin.deleteRecords(Map.of(partition, before)).all().get();

    topology.start();

    awaitCommitted(2 * FIRST);
    assertThat(ofSource("rondo_sources_lost_records_total")).isEqualTo(833);
  }

  @Test
  @Tag("long")
  void shouldReadALogThatEndsBeforeThePositionFromItsBeginning() throws Exception {
    launch(false, "exactly_once_v2");
    write(FIRST);
    awaitCommitted(FIRST);
    topology.end();
    commit(new OffsetAndMetadata(5 * FIRST));

    topology.start();
    write(100);

    assertAllStored();
    awaitReplaced();
    awaitCommitted(FIRST + 100);
  }

  @Test
  @Tag("long")
  void shouldContinueAtAPositionOfAnEarlierRelease() throws Exception {
    launch(false, "exactly_once_v2");
    write(FIRST);
    awaitCommitted(FIRST);
    topology.end();
    commit(new OffsetAndMetadata(FIRST));
    write(100);

    topology.start();

    assertAllStored();
    assertThat(topology.metric("rondo_decode_points_total")).isEqualTo(100);
    assertThat(ofSource("rondo_sources_replaced_total")).isZero();
  }
}
