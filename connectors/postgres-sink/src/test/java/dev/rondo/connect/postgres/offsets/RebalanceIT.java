package dev.rondo.connect.postgres.offsets;

import static org.awaitility.Awaitility.await;

import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.connect.postgres.harness.TestKafka;
import dev.rondo.connect.postgres.harness.TestWorker;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks start, move and are killed while rows flow: the table holds every row. */
@Timeout(300)
class RebalanceIT {
  private final TestDatabase database = TestDatabase.empty();
  private final TestKafka kafka = new TestKafka();
  private final String sink = kafka.name("sink");
  private final String topic = kafka.name("rows");
  private final FlowingRows rows = new FlowingRows(kafka, topic, database);

  @Test
  void shouldLoseNothingWhileTasksMove() throws Exception {
    kafka.createTopics(6, topic);
    TestWorker first = TestWorker.shared();
    try {
      first.put(sink, config(1));
      first.awaitTasks(sink, 1);
      rows.start();

      first.put(sink, config(4));
      first.awaitTasks(sink, 4);
      rows.awaitNewer(0);

      try (var second = first.startBeside()) {
        await()
            .atMost(TestWorker.BOUND)
            .until(() -> workers(first).equals(Set.of(first.id(), second.id())));
        rows.awaitNewer(0);
        second.kill();
      }
      await().atMost(TestWorker.BOUND).until(() -> workers(first).equals(Set.of(first.id())));
      first.awaitTasks(sink, 4);
      rows.awaitNewer(0);

      first.put(sink, config(2));
      await().atMost(TestWorker.BOUND).until(() -> first.tasks(sink).keySet().equals(Set.of(0, 1)));

      rows.stop();
      rows.awaitAllStored();
    } finally {
      rows.close();
      first.deleteConnectors();
    }
  }

  private Set<String> workers(TestWorker worker) throws Exception {
    return Set.copyOf(worker.tasks(sink).values());
  }

  private Map<String, String> config(int tasks) {
    Map<String, String> config = TestWorker.sinkConfig(database.jdbcUrl(), tasks, topic);
    config.put("consumer.override.isolation.level", "read_committed");
    // A killed worker's partitions are given to others sooner.
    config.put("consumer.override.session.timeout.ms", "6000");
    config.put("consumer.override.heartbeat.interval.ms", "2000");
    return config;
  }
}
