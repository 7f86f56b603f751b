package dev.rondo.connect.postgres.offsets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.connect.postgres.PostgresSinkConnector;
import dev.rondo.connect.postgres.RondoConverter;
import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.RowFlow;
import dev.rondo.connect.postgres.harness.RowModel;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.connect.postgres.harness.TestKafka;
import dev.rondo.connect.postgres.harness.TestWorker;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.Topics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks start, move and are killed while rows flow: the table holds every row. */
@Timeout(300)
class RebalanceIT {
  private static final String SINK = "moving";
  private static final String ROWS = "moving-rows";

  private final TestDatabase database = TestDatabase.empty();
  private final TestKafka kafka = TestKafka.shared();
  private final RowModel model = new RowModel();
  private final RowFlow flow = new RowFlow("p", 1_000_000, 7);

  @Test
  void shouldLoseNothingWhileTasksMove() throws Exception {
    kafka.createTopics(6, ROWS);
    var pace = Executors.newSingleThreadScheduledExecutor();
    try (var first = TestWorker.start(SINK)) {
      first.put(SINK, config(1));
      first.awaitTasks(SINK, 1);
      var producing = pace.scheduleWithFixedDelay(this::produce, 0, 20, TimeUnit.MILLISECONDS);

      first.put(SINK, config(4));
      first.awaitTasks(SINK, 4);
      awaitMoreRows();

      try (var second = TestWorker.start(SINK)) {
        await()
            .atMost(TestWorker.BOUND)
            .until(() -> workers(first).equals(Set.of(first.id(), second.id())));
        awaitMoreRows();
        second.kill();
      }
      await().atMost(TestWorker.BOUND).until(() -> workers(first).equals(Set.of(first.id())));
      first.awaitTasks(SINK, 4);
      awaitMoreRows();

      first.put(SINK, config(2));
      await().atMost(TestWorker.BOUND).until(() -> first.tasks(SINK).keySet().equals(Set.of(0, 1)));

      assertThat(producing.isDone()).as("produced to the end").isFalse();
      pace.shutdown();
      assertThat(pace.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
      await()
          .atMost(TestWorker.BOUND)
          .untilAsserted(() -> assertThat(database.query(RowModel.TABLE)).isEqualTo(model.table()));
    } finally {
      pace.shutdownNow();
    }
  }

  private void produce() {
    List<BundleRow> rows = flow.next(2);
    rows.forEach(model::add);
    kafka.produce(
        ROWS,
        Topics.BUNDLE_ROWS.keySerde(),
        Topics.BUNDLE_ROWS.valueSerde(),
        rows.stream().map(row -> new TestKafka.Entry<>(Records.key(row), row)).toList());
  }

  /** Waits until a record produced from now on is stored. */
  private void awaitMoreRows() {
    String newest = "select coalesce(extract(epoch from max(t))::bigint, 0) from ts";
    long before = Long.parseLong(database.query(newest).get(0));
    await()
        .atMost(TestWorker.BOUND)
        .until(() -> Long.parseLong(database.query(newest).get(0)) > before);
  }

  private static Set<String> workers(TestWorker worker) throws Exception {
    return Set.copyOf(worker.tasks(SINK).values());
  }

  private Map<String, String> config(int tasks) {
    var config =
        new HashMap<>(
            Map.of(
                "connector.class", PostgresSinkConnector.class.getName(),
                "tasks.max", Integer.toString(tasks),
                "topics", ROWS,
                "key.converter", RondoConverter.class.getName(),
                "value.converter", RondoConverter.class.getName(),
                "connection.url", database.jdbcUrl(),
                "consumer.override.isolation.level", "read_committed",
                // A killed worker's partitions are given to others sooner.
                "consumer.override.session.timeout.ms", "6000"));
    config.put("consumer.override.heartbeat.interval.ms", "2000");
    return config;
  }
}
