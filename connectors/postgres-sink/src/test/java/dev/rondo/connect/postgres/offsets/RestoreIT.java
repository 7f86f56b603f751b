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
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** PostgreSQL goes back to a backup while rows flow: the sink brings what the backup lacks. */
@Timeout(300)
class RestoreIT {
  private static final String SINK = "restoring";
  private static final String ROWS = "restoring-rows";

  private final TestDatabase database = TestDatabase.dedicated();
  private final TestKafka kafka = TestKafka.shared();
  private final RowModel model = new RowModel();
  private final RowFlow flow = new RowFlow("p", 1_000_000, 7);

  @AfterEach
  void removeDatabase() {
    database.remove();
  }

  @Test
  void shouldBringWhatTheBackupLacks() throws Exception {
    kafka.createTopics(6, ROWS);
    var pace = Executors.newSingleThreadScheduledExecutor();
    try (var worker = TestWorker.start(SINK)) {
      worker.put(SINK, config());
      worker.awaitTasks(SINK, 2);
      var producing = pace.scheduleWithFixedDelay(this::produce, 0, 20, TimeUnit.MILLISECONDS);
      awaitMoreRows();
      Path backup = database.backUp();
      awaitMoreRows();
      awaitMoreRows();
      database.restore(backup);
      awaitMoreRows();
      assertThat(producing.isDone()).as("produced to the end").isFalse();
      pace.shutdown();
      assertThat(pace.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
      shouldHoldAllRows();

      // Without another row: the sink notices by itself.
      database.restore(backup);
      shouldHoldAllRows();
    } finally {
      pace.shutdownNow();
    }
  }

  private void shouldHoldAllRows() {
    await()
        .atMost(TestWorker.BOUND)
        .untilAsserted(() -> assertThat(database.query(RowModel.TABLE)).isEqualTo(model.table()));
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
        .until(() -> Long.parseLong(database.query(newest).get(0)) > before + 300);
  }

  private Map<String, String> config() {
    return Map.of(
        "connector.class",
        PostgresSinkConnector.class.getName(),
        "tasks.max",
        "2",
        "topics",
        ROWS,
        "key.converter",
        RondoConverter.class.getName(),
        "value.converter",
        RondoConverter.class.getName(),
        "connection.url",
        database.jdbcUrl(),
        "retry.backoff.max.ms",
        "400",
        "consumer.override.isolation.level",
        "read_committed");
  }
}
