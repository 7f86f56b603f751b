package dev.rondo.connect.postgres.offsets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.connect.postgres.PostgresSinkTask;
import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TaskContext;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.connect.postgres.harness.TestKafka;
import dev.rondo.connect.postgres.harness.TestWorker;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.Topics;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Topics that are deleted, recreated or shortened: what Kafka has of them is written. */
@Timeout(300)
class RecreatedTopicIT {
  private static final String SLOTS =
      "select count(*), min(i), max(i) from ts where " + TestDatabase.HAS_SLOT;

  private final TestDatabase database = TestDatabase.ofOwnServer();
  private final TestKafka kafka = new TestKafka();
  private final String sink = kafka.name("sink");
  private final String topic = kafka.name("rows");
  private final String otherTopic = kafka.name("other-rows");
  private TestWorker worker;

  @BeforeEach
  void start() throws Exception {
    worker = TestWorker.shared();
  }

  @AfterEach
  void stop() throws Exception {
    worker.deleteConnectors();
  }

  /** The consumer would go on at its position in the new log, which is longer already. */
  @Test
  void shouldReadATopicFromItsBeginThatIsRecreatedUnderARunningTask() throws Exception {
    kafka.createTopics(2, topic);
    worker.put(sink, config(1, topic));
    rows(topic, 0, 1, 50);
    rows(topic, 1, 51, 100);
    awaitSlots("100|1|100");
    worker.pause(sink);
    recreate(2);
    rows(topic, 0, 101, 110); // shorter than the position: the consumer goes back by itself
    rows(topic, 1, 111, 200);
    resume();
    awaitSlots("200|1|200");
    rows(topic, 1, 201, 210);
    awaitSlots("210|1|210");
    assertThat(worker.log()).contains(topic + "-1 was deleted and recreated");
  }

  /** The row of zeros is of the time before the sink had kafka.bootstrap.servers. */
  @Test
  void shouldReadARecreatedTopicWhoseOffsetsWereStoredWithoutIdsBefore() throws Exception {
    kafka.createTopics(1, topic);
    worker.put(sink, config(1, topic));
    rows(topic, 0, 1, 50);
    awaitSlots("50|1|50");
    worker.delete(sink);
    database.execute(
        "insert into applied_offset (topic, topic_id, partition, next_offset) values ('%s', '%s', 0, 30)"
            .formatted(topic, new UUID(0, 0)));
    recreate(1);
    rows(topic, 0, 51, 130);
    worker.put(sink, config(1, topic));
    awaitSlots("130|1|130");
  }

  @Test
  void shouldReadARecreatedTopicAfterARestoreOfTheDatabase() throws Exception {
    kafka.createTopics(1, topic);
    worker.put(sink, config(1, topic));
    rows(topic, 0, 1, 50);
    awaitSlots("50|1|50");
    Path backup = database.backUp();
    rows(topic, 0, 51, 60);
    awaitSlots("60|1|60");
    worker.pause(sink);
    recreate(1);
    rows(topic, 0, 61, 180);
    database.restore(backup);
    resume();
    awaitSlots("170|1|180"); // 51 to 60 went with the topic
    assertThat(worker.log()).contains(topic + "-0 was deleted and recreated");
  }

  @Test
  void shouldCountWhatARecreatedTopicHasLostAlready() throws Exception {
    kafka.createTopics(1, topic);
    worker.put(sink, config(1, topic));
    rows(topic, 0, 1, 50);
    awaitSlots("50|1|50");
    worker.pause(sink);
    recreate(1);
    rows(topic, 0, 51, 130);
    kafka.deleteBefore(topic, 20);
    resume();
    awaitSlots("110|1|130");
    assertThat(worker.log())
        .contains(topic + "-0 is applied up to offset 0, but Kafka may have deleted")
        .contains("before offset 20: up to 20 records");
  }

  /** Offsets of records that were delivered before say nothing of the new log. */
  @Test
  void shouldNotTakeRecordsOfTheFormerLogForThoseOfTheNewOne() throws Exception {
    kafka.createTopics(1, topic);
    Map<String, String> config = database.taskConfig();
    config.put("kafka.bootstrap.servers", kafka.bootstrap());
    var context = new TaskContext(false);
    PostgresSinkTask task = TaskContext.start(config, context);
    try {
      task.open(List.of(new TopicPartition(topic, 0)));
      task.put(List.of());
      recreate(1);
      task.preCommit(Map.of());
      task.put(List.of(record(0, 1), record(1, 2)));
      assertThat(context.seeks).isEqualTo(Map.of(new TopicPartition(topic, 0), 0L));
      assertThat(database.query(SLOTS)).containsExactly("0|-|-");
      task.put(List.of(record(0, 3)));
      assertThat(database.query(SLOTS)).containsExactly("1|3|3");
    } finally {
      task.stop();
    }
  }

  /** Two tasks; the partitions change their owners, and there are fewer, then more of them. */
  @Test
  void shouldReadATopicThatIsRecreatedWithOtherPartitions() throws Exception {
    kafka.createTopics(4, topic);
    Map<String, String> config = config(2, topic);
    config.put("consumer.override.metadata.max.age.ms", "500"); // notices more partitions soon
    worker.put(sink, config);
    worker.awaitTasks(sink, 2);
    IntStream.range(0, 4).forEach(p -> rows(topic, p, 1 + 10 * p, 10 + 10 * p));
    awaitSlots("40|1|40");
    recreate(1);
    rows(topic, 0, 41, 100);
    awaitSlots("100|1|100");
    recreate(3);
    IntStream.range(0, 3).forEach(p -> rows(topic, p, 101 + 100 * p, 200 + 100 * p));
    awaitSlots("400|1|400");
    worker.awaitTasks(sink, 2);
  }

  /** The others go on. */
  @Test
  void shouldGoOnWithoutADeletedTopicAndReadItWhenItIsBack() throws Exception {
    kafka.createTopics(1, topic, otherTopic);
    worker.put(sink, config(1, topic, otherTopic));
    rows(topic, 0, 1, 50);
    rows(otherTopic, 0, 51, 60);
    awaitSlots("60|1|60");
    worker.pause(sink); // so that the partition stays assigned
    kafka.deleteTopic(topic);
    await("the log names the topic")
        .atMost(TestWorker.BOUND)
        .until(() -> worker.log().contains(topic + "-0 does not exist"));
    resume();
    rows(otherTopic, 0, 61, 70);
    awaitSlots("70|1|70");
    worker.awaitTasks(sink, 1);
    kafka.createTopics(1, topic);
    rows(topic, 0, 71, 200);
    awaitSlots("200|1|200");
  }

  /** The end of the log is known only to the task that reads it first. */
  @Test
  void shouldWriteWhatFollowsALogThatHasLostItsEnd() throws Exception {
    kafka.createTopics(1, topic);
    worker.put(sink, config(1, topic));
    rows(topic, 0, 1, 50);
    awaitSlots("50|1|50");
    worker.delete(sink);
    String applied = "select next_offset from applied_offset";
    database.execute("update applied_offset set next_offset = 80"); // Kafka had 80 records
    worker.put(sink, config(1, topic));
    await("the end of the log is stored")
        .atMost(TestWorker.BOUND)
        .untilAsserted(() -> assertThat(database.query(applied)).containsExactly("50"));
    worker.delete(sink);
    rows(topic, 0, 51, 130);
    worker.put(sink, config(1, topic));
    awaitSlots("130|1|130");
    assertThat(worker.log()).contains(topic + "-0 is applied up to offset 80, but goes on at 50");
  }

  private void resume() throws Exception {
    worker.put("/connectors/" + sink + "/resume");
  }

  private void recreate(int partitions) throws Exception {
    kafka.deleteTopic(topic);
    kafka.createTopics(partitions, topic);
  }

  private void awaitSlots(String slots) {
    await()
        .atMost(TestWorker.BOUND)
        .untilAsserted(() -> assertThat(database.query(SLOTS)).containsExactly(slots));
  }

  private SinkRecord record(long offset, int i) {
    SinkRecord row = Records.row(row(i));
    return new SinkRecord(
        topic, 0, row.keySchema(), row.key(), row.valueSchema(), row.value(), offset);
  }

  private static BundleRow row(int i) {
    return new BundleRow(
        "p", "wmean", 10_000L, 1000, 4, 0.5, false, "wmean", 0, i, i * 10_000L, List.of(1.0));
  }

  private void rows(String topic, int partition, int first, int last) {
    for (int i = first; i <= last; i++) {
      BundleRow row = row(i);
      kafka.produce(
          new ProducerRecord<>(
              topic,
              partition,
              Topics.BUNDLE_ROWS.keySerde().serializer().serialize(topic, Records.key(row)),
              Topics.BUNDLE_ROWS.valueSerde().serializer().serialize(topic, row)));
    }
  }

  private Map<String, String> config(int tasks, String... topics) {
    Map<String, String> config = TestWorker.sinkConfig(database.jdbcUrl(), tasks, topics);
    config.put("kafka.bootstrap.servers", kafka.bootstrap());
    config.put("retry.backoff.max.ms", "400");
    config.put("consumer.override.fetch.max.wait.ms", "10"); // a paused task has no fetch under way
    config.put("consumer.override.isolation.level", "read_committed");
    return config;
  }
}
