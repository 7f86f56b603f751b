package dev.rondo.connect.postgres.offsets;

import static org.awaitility.Awaitility.await;

import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.connect.postgres.harness.TestKafka;
import dev.rondo.connect.postgres.harness.TestWorker;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** PostgreSQL goes back to a backup while rows flow: the sink brings what the backup lacks. */
@Timeout(300)
class RestoreIT {
  private final TestDatabase database = TestDatabase.ofOwnServer();
  private final TestKafka kafka = new TestKafka();
  private final String sink = kafka.name("sink");
  private final String topic = kafka.name("rows");
  private final FlowingRows rows = new FlowingRows(kafka, topic, database);

  @Test
  void shouldBringWhatTheBackupLacks() throws Exception {
    kafka.createTopics(6, topic);
    TestWorker worker = TestWorker.shared();
    try {
      worker.put(sink, config());
      worker.awaitTasks(sink, 2);
      await("two tasks read") // which exchange no partitions later
          .atMost(TestWorker.BOUND)
          .until(() -> kafka.areShared("connect-" + sink, 2));
      rows.start();
      rows.awaitNewer(300);
      Path backup = database.backUp();
      rows.awaitNewer(300);
      rows.awaitNewer(300);
      database.restore(backup);
      rows.awaitNewer(300);
      rows.stop();
      rows.awaitAllStored();

      // Without another row: the sink notices by itself.
      database.restore(backup);
      rows.awaitAllStored();
    } finally {
      rows.close();
      worker.deleteConnectors();
    }
  }

  @Test
  void shouldBringAllThatABackupOfBeforeItsStartLacks() throws Exception {
    kafka.createTopics(6, topic);
    Path backup = database.backUp();
    TestWorker worker = TestWorker.shared();
    try {
      worker.put(sink, config());
      worker.awaitTasks(sink, 2);
      await("two tasks read")
          .atMost(TestWorker.BOUND)
          .until(() -> kafka.areShared("connect-" + sink, 2));
      rows.start();
      rows.awaitNewer(300);
      rows.stop();
      rows.awaitAllStored();

      database.restore(backup);
      rows.awaitAllStored();
    } finally {
      rows.close();
      worker.deleteConnectors();
    }
  }

  private Map<String, String> config() {
    Map<String, String> config = TestWorker.sinkConfig(database.jdbcUrl(), 2, topic);
    config.put("retry.backoff.max.ms", "400");
    config.put("consumer.override.isolation.level", "read_committed");
    return config;
  }
}
