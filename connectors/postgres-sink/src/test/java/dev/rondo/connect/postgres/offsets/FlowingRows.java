package dev.rondo.connect.postgres.offsets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.RowFlow;
import dev.rondo.connect.postgres.harness.RowModel;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.connect.postgres.harness.TestKafka;
import dev.rondo.connect.postgres.harness.TestWorker;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.Topics;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Rows that are produced to a topic all the time, and the table that they should make. */
final class FlowingRows implements AutoCloseable {
  private final TestKafka kafka;
  private final String topic;
  private final TestDatabase database;
  private final RowModel model = new RowModel();
  private final RowFlow flow = new RowFlow("p", 1_000_000, 7);
  private final ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor();
  private Future<?> producing;

  FlowingRows(TestKafka kafka, String topic, TestDatabase database) {
    this.kafka = kafka;
    this.topic = topic;
    this.database = database;
  }

  void start() {
    producing = pace.scheduleWithFixedDelay(this::produce, 0, 20, TimeUnit.MILLISECONDS);
  }

  /** Produces no more rows; fails if one could not be produced. */
  void stop() throws InterruptedException {
    assertThat(producing.isDone()).as("produced to the end").isFalse();
    pace.shutdown();
    assertThat(pace.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
  }

  private void produce() {
    List<BundleRow> rows = flow.next(2);
    rows.forEach(model::add);
    kafka.produce(
        topic,
        Topics.BUNDLE_ROWS.keySerde(),
        Topics.BUNDLE_ROWS.valueSerde(),
        rows.stream().map(row -> new TestKafka.Entry<>(Records.key(row), row)).toList());
  }

  /** Waits until rows are stored that are more than {@code seconds} newer than the newest now. */
  void awaitNewer(long seconds) {
    long before = newest();
    await().atMost(TestWorker.BOUND).until(() -> newest() > before + seconds);
  }

  private long newest() {
    String newest = "select coalesce(extract(epoch from max(t))::bigint, 0) from ts";
    return Long.parseLong(database.query(newest).get(0));
  }

  void awaitAllStored() {
    await()
        .atMost(TestWorker.BOUND)
        .untilAsserted(() -> assertThat(database.query(RowModel.TABLE)).isEqualTo(model.table()));
  }

  @Override
  public void close() {
    pace.shutdownNow();
  }
}
