package dev.rondo.connect.postgres.offsets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.connect.postgres.PostgresSinkTask;
import dev.rondo.connect.postgres.harness.ClientCount;
import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TaskContext;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.connect.postgres.harness.TestKafka;
import dev.rondo.connect.postgres.harness.TestWorker;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.BundleRowKey;
import dev.rondo.schemas.Topics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the sink reads from Kafka: which topic it is, and which offsets it still has. */
@Timeout(300)
class TopicLogsIT {
  private static final String SLOTS =
      "select count(*), min(i), max(i) from ts where " + TestDatabase.HAS_SLOT;

  private final TestDatabase database = TestDatabase.ofOwnServer();
  private final TestKafka kafka = new TestKafka();
  private final String sink = kafka.name("sink");
  private final String topic = kafka.name("rows");

  @Test
  void shouldReadARecreatedTopicAndReportWhatIsDeleted() throws Exception {
    kafka.createTopics(1, topic);
    TestWorker worker = TestWorker.shared();
    try {
      worker.put(sink, config());
      rows(1, 50);
      awaitSlots("50|1|50");

      worker.delete(sink);
      kafka.deleteTopic(topic);
      kafka.createTopics(1, topic);
      rows(51, 130); // more than the previous topic had
      worker.put(sink, config());
      awaitSlots("130|1|130");
      assertThat(database.query("select next_offset from applied_offset")).containsExactly("80");

      Path backup = database.backUp();
      rows(131, 150);
      awaitSlots("150|1|150");
      worker.delete(sink);
      kafka.deleteBefore(topic, 95);
      database.restore(backup);
      worker.put(sink, config());
      awaitSlots("135|1|150");
      assertThat(worker.log())
          .contains(
              topic
                  + "-0 is applied up to offset 80, but Kafka may have deleted or compacted away anything before offset 95: up to 15 records");
    } finally {
      worker.deleteConnectors();
    }
  }

  /** A task that is paused, or slower than the retention, does not read the offsets again. */
  @Test
  void shouldReportWhatIsDeletedBeforeARunningTask() throws Exception {
    kafka.createTopics(1, topic);
    TestWorker worker = TestWorker.shared();
    try {
      worker.put(sink, config());
      rows(1, 50);
      awaitSlots("50|1|50");
      worker.pause(sink);
      rows(51, 100);
      kafka.deleteBefore(topic, 90);
      worker.put("/connectors/" + sink + "/resume");
      awaitSlots("60|1|100");
      assertThat(worker.log())
          .contains(
              topic
                  + "-0 is applied up to offset 50, but Kafka may have deleted or compacted away anything before offset 90: up to 40 records");
    } finally {
      worker.deleteConnectors();
    }
  }

  @Test
  void shouldAskKafkaByOneClientUntilTheTaskStops() throws Exception {
    kafka.createTopics(1, topic);
    Map<String, String> config = database.taskConfig();
    config.put("kafka.bootstrap.servers", kafka.bootstrap());
    config.put("kafka.metric.reporters", ClientCount.class.getName());
    PostgresSinkTask task = TaskContext.start(config, new TaskContext(false));
    try {
      task.open(List.of(new TopicPartition(topic, 0)));
      for (int flush = 0; flush < 5; flush++) {
        task.put(List.of());
        task.preCommit(Map.of());
      }
      assertThat(ClientCount.opened()).isEqualTo(1);
      assertThat(ClientCount.open()).isEqualTo(1);
    } finally {
      task.stop();
    }
    assertThat(ClientCount.open()).isZero();
  }

  private void awaitSlots(String slots) {
    await()
        .atMost(TestWorker.BOUND)
        .untilAsserted(() -> assertThat(database.query(SLOTS)).containsExactly(slots));
  }

  private void rows(int first, int last) {
    var rows = new ArrayList<TestKafka.Entry<BundleRowKey, BundleRow>>();
    for (int i = first; i <= last; i++) {
      var row =
          new BundleRow(
              "p", "wmean", 10_000L, 1000, 4, 0.5, false, "wmean", 0, i, i * 10_000L, List.of(1.0));
      rows.add(new TestKafka.Entry<>(Records.key(row), row));
    }
    kafka.produce(topic, Topics.BUNDLE_ROWS.keySerde(), Topics.BUNDLE_ROWS.valueSerde(), rows);
  }

  private Map<String, String> config() {
    Map<String, String> config = TestWorker.sinkConfig(database.jdbcUrl(), 1, topic);
    config.put("kafka.bootstrap.servers", kafka.bootstrap());
    config.put("consumer.override.fetch.max.wait.ms", "10"); // a paused task has no fetch under way
    config.put("consumer.override.metadata.max.age.ms", "500"); // notices the recreated topic soon
    config.put("consumer.override.isolation.level", "read_committed");
    return config;
  }
}
