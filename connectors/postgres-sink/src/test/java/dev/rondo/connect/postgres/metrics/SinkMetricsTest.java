package dev.rondo.connect.postgres.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.rondo.connect.postgres.changes.WriteCounts;
import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import dev.rondo.connect.postgres.connection.Database;
import dev.rondo.schemas.RowArrival;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class SinkMetricsTest {
  private static final long NONE = Long.MIN_VALUE;
  private static final TopicPartition PARTITION = new TopicPartition("rondo.bundle-rows", 0);

  private final HandClock clock = new HandClock();
  private double waitingRecords;
  private final SinkMetrics metrics =
      new SinkMetrics(database(), clock, clock::nanoTime, () -> waitingRecords);

  @Test
  void shouldKnowNothingBeforeTheFirstPut() {
    metrics.assign(List.of(PARTITION));
    assertThat(metrics.getLagSeconds()).isNull();
    assertThat(metrics.getLastPutAgeSeconds()).isNull();
    assertThat(metrics.getRowsPerPut()).isNull();
    assertThat(metrics.getPutSecondsP99()).isNull();
    assertThat(metrics.isRetrying()).isFalse();
    assertThat(metrics.isConnected()).isFalse();
    assertThat(metrics.getPutSecondsBucket().values()).containsOnly(0L);
  }

  @Test
  void shouldCountWhatIsCommitted() {
    put(0.03, new WriteCounts(3, 250, 2), NONE);
    put(0.03, new WriteCounts(1, 50, 0), NONE);
    assertThat(metrics.getRowsTotal()).isEqualTo(4);
    assertThat(metrics.getValuesTotal()).isEqualTo(300);
    assertThat(metrics.getSeriesTotal()).isEqualTo(2);
    assertThat(metrics.getPutSecondsCount()).isEqualTo(2);
    assertThat(metrics.getTransactionsTotal()).isEqualTo(2);
    assertThat(metrics.getRowsPerPut()).isEqualTo(2);
    assertThat(metrics.getRowsPerSecond()).isEqualTo(4 / 60.0);
    assertThat(metrics.getValuesPerSecond()).isEqualTo(300 / 60.0);
    clock.passes(59);
    assertThat(metrics.getRowsPerSecond()).isEqualTo(4 / 60.0);
    clock.passes(1);
    assertThat(metrics.getRowsPerSecond()).isZero();
    assertThat(metrics.getRowsTotal()).isEqualTo(4);
  }

  @Test
  void shouldCountEachTransactionOfPutThatIsWrittenRecordByRecord() {
    metrics.putStarted(clock.millis(), clock.millis());
    metrics.committed(new WriteCounts(1, 7, 0), NONE);
    metrics.committed(new WriteCounts(1, 8, 0), NONE);
    metrics.putFinished();
    assertThat(metrics.getTransactionsTotal()).isEqualTo(2);
    assertThat(metrics.getPutSecondsCount()).isEqualTo(1);
    assertThat(metrics.getRowsPerPut()).isEqualTo(2);
  }

  @Test
  void shouldSortPutsIntoBucketsByTheirTime() {
    for (double tookS : new double[] {0.001, 0.0011, 0.03, 0.04, 70}) {
      put(tookS, new WriteCounts(1, 1, 0), NONE);
    }
    assertThat(metrics.getPutSecondsBucket())
        .contains(
            entry("0.001", 1L),
            entry("0.002", 2L),
            entry("0.02", 2L),
            entry("0.05", 4L),
            entry("60.0", 4L),
            entry("+Inf", 5L));
    assertThat(metrics.getPutSecondsSum()).isEqualTo(70.0721);
    assertThat(metrics.getPutSecondsP50()).isEqualTo(0.03);
    assertThat(metrics.getPutSecondsMax()).isEqualTo(70);
  }

  @Test
  void shouldForgetSlowPutAfterThousandOthers() {
    put(5, new WriteCounts(1, 1, 0), NONE);
    for (int k = 1; k <= 999; k++) {
      put(k <= 989 ? 0.01 : 0.5, new WriteCounts(1, 1, 0), NONE);
    }
    assertThat(metrics.getPutSecondsMax()).isEqualTo(5);
    assertThat(metrics.getPutSecondsP99()).isEqualTo(0.5);
    put(0.02, new WriteCounts(1, 1, 0), NONE);
    assertThat(metrics.getPutSecondsMax()).isEqualTo(0.5);
  }

  @Test
  void shouldAgeWhileNothingIsWritten() {
    metrics.assign(List.of(PARTITION));
    put(0, new WriteCounts(1, 1, 0), clock.millis() - 4_000);
    assertThat(metrics.getLagSeconds()).isEqualTo(4);
    clock.passes(3600);
    assertThat(metrics.getLagSeconds()).isEqualTo(3604);
    assertThat(metrics.getLastPutAgeSeconds()).isEqualTo(3600);
    put(0, new WriteCounts(1, 1, 0), clock.millis() - 1_000_000);
    assertThat(metrics.getLagSeconds()).isEqualTo(1000);
    put(0, new WriteCounts(1, 1, 0), NONE);
    put(0, new WriteCounts(1, 1, 0), clock.millis() - 2_000_000); // a replay
    assertThat(metrics.getLagSeconds()).isEqualTo(1000);
  }

  @Test
  void shouldHaveNoLagWithoutPartition() {
    metrics.assign(List.of(PARTITION));
    put(0, new WriteCounts(1, 1, 0), clock.millis());
    metrics.revoke(List.of(PARTITION));
    assertThat(metrics.getLagSeconds()).isNull();
    metrics.assign(List.of(PARTITION));
    assertThat(metrics.getLagSeconds()).isZero();
  }

  @Test
  void shouldReportHowLongItRetries() {
    metrics.putStarted(clock.millis(), clock.millis());
    metrics.retried("08001", "refused, 1");
    clock.passes(10);
    metrics.putStarted(clock.millis(), clock.millis());
    metrics.retried("57P03", "starting");
    clock.passes(20);
    assertThat(metrics.isRetrying()).isTrue();
    assertThat(metrics.getRetryingSeconds()).isEqualTo(30);
    assertThat(metrics.getRetriesTotal()).isEqualTo(Map.of("08001", 1L, "57P03", 1L));
    assertThat(metrics.getPutSecondsCount()).isZero();

    put(0.5, new WriteCounts(1, 1, 0), NONE);
    assertThat(metrics.isRetrying()).isFalse();
    assertThat(metrics.getRetryingSeconds()).isZero();
    assertThat(metrics.getPutSecondsMax()).isEqualTo(0.5);
  }

  @Test
  void shouldTellWhyItRetries() {
    assertThat(metrics.getRetryError()).isNull();
    metrics.retried("53100", "could not extend file 1");
    metrics.retried("53100", "could not extend file 2"); // no other label value
    assertThat(metrics.getRetryError()).isEqualTo("could not extend file 1");
    metrics.retried("08006", "lost".repeat(100));
    assertThat(metrics.getRetryError()).startsWith("lostlost").hasSize(300);
    metrics.putFinished();
    assertThat(metrics.getRetryError()).isNull();
    metrics.retried("08006", "lost");
    assertThat(metrics.getRetryError()).isEqualTo("lost");
  }

  @Test
  void shouldShowTheAgeOfWhatIsNotStored() {
    metrics.assign(List.of(PARTITION));
    assertThat(metrics.getWaitingSeconds()).isZero();
    metrics.putStarted(clock.millis() - 2_000, clock.millis() - 1_000);
    metrics.retried("08001", "refused, 1");
    clock.passes(3600);
    assertThat(metrics.getWaitingSeconds()).isEqualTo(3602);
    waitingRecords = 5;
    metrics.putFinished();
    assertThat(metrics.getWaitingSeconds()).isEqualTo(3601);
    waitingRecords = 0;
    assertThat(metrics.getWaitingSeconds()).isZero();
    clock.passes(7200); // a topic without rows
    assertThat(metrics.getWaitingSeconds()).isZero();
  }

  @Test
  void shouldShowNoAgeWithoutPartition() {
    metrics.assign(List.of(PARTITION));
    metrics.putStarted(clock.millis() - 2_000, clock.millis());
    metrics.revoke(List.of(PARTITION));
    waitingRecords = 1;
    assertThat(metrics.getWaitingSeconds()).isZero();
  }

  @Test
  void shouldCountValuesByTheirLagAndSource() {
    metrics.stored(new RowArrival(clock.millis() - 200, "points"), 116);
    metrics.stored(new RowArrival(clock.millis() - 4_000, "points"), 4);
    metrics.stored(new RowArrival(clock.millis() + 5_000, "others"), 1); // another clock
    assertThat(metrics.getStoredLagSecondsBucket())
        .contains(
            entry("points 0.1", 0L),
            entry("points 0.3", 116L),
            entry("points 3.0", 116L),
            entry("points 10.0", 120L),
            entry("points +Inf", 120L),
            entry("others 0.1", 1L));
    assertThat(metrics.getStoredLagSecondsSum()).containsEntry("points", 116 * 0.2 + 4 * 4.0);
    assertThat(metrics.getStoredLagSecondsCount()).containsEntry("points", 120L);
  }

  @Test
  void shouldKeepReasonsFew() {
    for (int k = 0; k < 1000; k++) {
      metrics.rejected("R%04d".formatted(k));
      metrics.rejected("R0000");
    }
    metrics.rejected("");
    assertThat(metrics.getRejectedRecordsTotal())
        .hasSize(51)
        .containsEntry("R0000", 1001L)
        .containsEntry("R0049", 1L)
        .containsEntry("other", 951L);
  }

  private void put(double tookS, WriteCounts written, long newestMs) {
    metrics.putStarted(clock.millis(), clock.millis());
    clock.passes(tookS);
    metrics.committed(written, newestMs);
    metrics.putFinished();
  }

  private static Database database() {
    return new Database(
        PostgresSinkConfig.of(Map.of("connection.url", "jdbc:postgresql://db/rondo?user=rondo")));
  }

  /** A clock that tests advance; wall time and nano time advance together. */
  private static final class HandClock extends Clock {
    private long nowMicros = Instant.parse("2024-01-01T00:00:00Z").toEpochMilli() * 1000;

    void passes(double seconds) {
      nowMicros += Math.round(seconds * 1e6);
    }

    long nanoTime() {
      return nowMicros * 1000;
    }

    @Override
    public long millis() {
      return nowMicros / 1000;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(millis());
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
