package dev.rondo.topology.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.NewTopics;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@link WriteBackStore} needs of Kafka Streams, on a real broker: {@code
 * CachedStateStore.flushCache()} is called before each commit of offsets, so that the state of what
 * is committed is in the changelog. An upgrade of Kafka may move it: see decision 0001.
 */
class WriteBackHookIT {
  private static final int PARTITIONS = 2;
  private static final long NOT_BY_TIME_MS = 500_000;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path dir;

  private final KafkaSpace kafka = TestBed.kafka();

  private final CommitJournal journal = new CommitJournal();
  private final Map<Integer, Long> restored = new ConcurrentHashMap<>();
  private final AtomicLong seen = new AtomicLong();

  @ParameterizedTest
  @ValueSource(strings = {StreamsConfig.EXACTLY_ONCE_V2, StreamsConfig.AT_LEAST_ONCE})
  void shouldWriteBackBeforeEachRegularCommit(String guarantee, TestInfo test) throws Exception {
    String id = create(test, guarantee);
    try (KafkaStreams streams = run(id, "a", guarantee, 100)) {
      for (int round = 1; round <= 5; round++) {
        send(id, 3);
        long sent = 3L * PARTITIONS * round;
        await().until(() -> journal.committed() == sent);
      }
      assertWrittenBack("at a regular commit", streams);
    }
    assertThat(journal.commits()).hasSizeGreaterThanOrEqualTo(5);
    assertRestores(id, guarantee, 15);
  }

  @ParameterizedTest
  @ValueSource(strings = {StreamsConfig.EXACTLY_ONCE_V2, StreamsConfig.AT_LEAST_ONCE})
  void shouldWriteBackOnACleanClose(String guarantee, TestInfo test) throws Exception {
    String id = create(test, guarantee);
    KafkaStreams streams = run(id, "a", guarantee, NOT_BY_TIME_MS);
    send(id, 7);
    await().until(() -> seen.get() == 7 * PARTITIONS);
    assertThat(journal.committed()).isZero();
    streams.close();
    assertThat(journal.committed()).isEqualTo(7 * PARTITIONS);
    assertWrittenBack("on a clean close", streams);
    assertRestores(id, guarantee, 7);
  }

  @ParameterizedTest
  @ValueSource(strings = {StreamsConfig.EXACTLY_ONCE_V2, StreamsConfig.AT_LEAST_ONCE})
  void shouldWriteBackWhenAPartitionIsRevoked(String guarantee, TestInfo test) throws Exception {
    String id = create(test, guarantee);
    try (KafkaStreams first = run(id, "a", guarantee, NOT_BY_TIME_MS)) {
      send(id, 9);
      await().until(() -> seen.get() == 9 * PARTITIONS);
      restored.clear();
      try (KafkaStreams second = run(id, "b", guarantee, NOT_BY_TIME_MS)) {
        await().until(() -> !restored.isEmpty());
        assertWrittenBack("when a partition is taken away", first);
        assertThat(restored).as("the new owner continues from there").hasSize(1).containsValue(9L);
        assertThat(second.state().isRunningOrRebalancing()).isTrue();
      }
    }
  }

  private void assertWrittenBack(String moment, KafkaStreams streams) {
    assertThat(journal.commits()).as(streams.state() + ": offsets were committed").isNotEmpty();
    assertThat(journal.commits())
        .as(
            "Kafka Streams %s has to call CachedStateStore.flushCache() before offsets are"
                + " committed, %s: else a crash loses state. WriteBackStore implements it; see"
                + " docs/decisions/0001-state-is-written-back-before-each-commit.md",
            AppInfoParser.getVersion(), moment)
        .allSatisfy(commit -> assertThat(commit.inChangelog()).isEqualTo(commit.offset()));
  }

  private void assertRestores(String id, String guarantee, long expected) {
    restored.clear();
    try (KafkaStreams again = run(id, "a", guarantee, 100)) {
      await().until(() -> restored.size() == PARTITIONS);
      assertThat(restored.values()).as(again.state() + ": restored").containsOnly(expected);
    }
  }

  private String create(TestInfo test, String guarantee) throws Exception {
    String id = kafka.source(test.getTestMethod().orElseThrow().getName() + "-" + guarantee);
    try (Admin admin = Admin.create(kafka.client())) {
      NewTopics.create(admin, List.of(new NewTopic(id, PARTITIONS, (short) 1)));
    }
    return id;
  }

  private void send(String topic, int records) throws Exception {
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(kafka.client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int n = 0; n < records * PARTITIONS; n++) {
        producer.send(new ProducerRecord<>(topic, n % PARTITIONS, null, new byte[1])).get();
      }
    }
  }

  /** Runs a topology of one processor, which records the offsets that it sees. */
  private KafkaStreams run(String id, String instance, String guarantee, long commitMs) {
    Topology topology = new Topology();
    topology.addSource(
        "source", Serdes.ByteArray().deserializer(), Serdes.ByteArray().deserializer(), id);
    topology.addProcessor("see", SeeProcessor::new, "source");
    topology.addStateStore(SeenStore.builder(), "see");

    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, id);
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrap());
    config.put(StreamsConfig.STATE_DIR_CONFIG, dir.resolve(id).resolve(instance).toString());
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, guarantee);
    config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, commitMs);
    config.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
    config.put(StreamsConfig.consumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), instance);
    config.put(
        StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG),
        (int) NOT_BY_TIME_MS + 1);
    KafkaStreams streams = new KafkaStreams(topology, config, journal);
    streams.start();
    return streams;
  }

  private final class SeeProcessor extends ContextualProcessor<byte[], byte[], Void, Void> {
    private SeenStore store;

    @Override
    public void init(ProcessorContext<Void, Void> context) {
      super.init(context);
      store = context.getStateStore(SeenStore.NAME);
      restored.put(context.taskId().partition(), store.load());
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
      store.see(context().recordMetadata().orElseThrow().offset());
      seen.incrementAndGet();
    }
  }
}
