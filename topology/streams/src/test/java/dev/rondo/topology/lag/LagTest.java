package dev.rondo.topology.lag;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Waiting points, as they are exported. */
class LagTest {
  private static final TopicPartition ONE = new TopicPartition("points", 0);
  private static final TopicPartition OTHER = new TopicPartition("points", 1);
  private static final TopicPartition REGROUPED = new TopicPartition("by-series", 0);
  private static final long HOUR_MS = 3_600_000;

  private long nowMs = 1_700_000_000_000L;
  private final Lag lag = new Lag(() -> Instant.ofEpochMilli(nowMs));
  private final Fetched consumer = new Fetched();
  private final TaskLag task = new TaskLag();
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  @BeforeEach
  void start() {
    lag.bySeries(REGROUPED.topic());
    lag.add(consumer);
    lag.add(task);
    registry.getPrometheusRegistry().register(new LagCollector(lag));
  }

  @Test
  void shouldNotAgeTopicWithoutPoints() {
    lag.see(Map.of(ONE, 5L, OTHER, 0L), nowMs);
    consumer.read(ONE, new Fetched.Position(5, 4, nowMs));
    consumer.moved(OTHER, 0);
    lag.decoded(ONE, 4, nowMs);
    nowMs += 8 * HOUR_MS;
    assertThat(waiting())
        .containsExactly(
            "{partition=\"\",source=\"points\",stage=\"decoded\"} 0.0",
            "{partition=\"\",source=\"points\",stage=\"fetched\"} 0.0");
  }

  @Test
  void shouldShowNothingWithoutAssignment() {
    lag.see(Map.of(ONE, 5L), nowMs);
    assertThat(waiting()).isEmpty();
    assertThat(samples("rondo_merge_awaited_seconds"))
        .containsExactly("{partition=\"\",source=\"\"} 0.0");
  }

  /** The next record was written after the one before it. */
  @Test
  void shouldShowBacklogOfAnHourAndItsEnd() {
    lag.see(Map.of(ONE, 10_000L, OTHER, 10_000L), nowMs);
    consumer.read(ONE, new Fetched.Position(100, 99, nowMs - HOUR_MS));
    consumer.read(OTHER, new Fetched.Position(9_000, 8_999, nowMs - 60_000));
    lag.decoded(ONE, 99, nowMs - HOUR_MS);
    lag.decoded(OTHER, 8_999, nowMs - 60_000);
    assertThat(waiting()).contains("{partition=\"0\",source=\"points\",stage=\"fetched\"} 3600.0");
    consumer.read(ONE, new Fetched.Position(10_000, 9_999, nowMs));
    assertThat(waiting())
        .contains(
            "{partition=\"1\",source=\"points\",stage=\"fetched\"} 60.0",
            "{partition=\"0\",source=\"points\",stage=\"decoded\"} 3600.0");
    consumer.read(OTHER, new Fetched.Position(10_001, 9_999, nowMs)); // past a marker
    lag.decoded(ONE, 9_999, nowMs);
    lag.decoded(OTHER, 9_999, nowMs);
    assertThat(waiting()).allSatisfy(sample -> assertThat(sample).endsWith(" 0.0"));
  }

  @Test
  void shouldGrowWhileNothingIsRead() {
    lag.see(Map.of(ONE, 5L), nowMs);
    consumer.read(ONE, new Fetched.Position(5, 4, nowMs - 9 * HOUR_MS));
    nowMs += 1_000;
    lag.see(Map.of(ONE, 6L), nowMs);
    assertThat(samples("rondo_lag_waiting_seconds"))
        .anySatisfy(sample -> assertThat(sample).contains("fetched").endsWith(" 1.0"));
    nowMs += 60_000;
    lag.see(Map.of(ONE, 7L), nowMs);
    assertThat(samples("rondo_lag_waiting_seconds"))
        .anySatisfy(sample -> assertThat(sample).contains("fetched").endsWith(" 61.0"));
  }

  /** Offsets were rewound before the start: replayed records arrived long ago. */
  @Test
  void shouldShowTheAgeOfReplayedRecords() {
    lag.see(Map.of(ONE, 1_000L), nowMs);
    consumer.read(ONE, new Fetched.Position(10, 9, nowMs - 24 * HOUR_MS));
    lag.decoded(ONE, 9, nowMs - 24 * HOUR_MS);
    assertThat(waiting()).contains("{partition=\"0\",source=\"points\",stage=\"fetched\"} 86400.0");
  }

  /**
   * A sender's clock, or a point that is sent late, does not age records that have just arrived.
   */
  @Test
  void shouldNotUseTheClockOfSendersAsArrival() {
    lag.see(Map.of(ONE, 0L), nowMs);
    nowMs += 250;
    lag.see(Map.of(ONE, 1L), nowMs);
    lag.reached(Stage.MERGED, lag.arrival(ONE, 0, nowMs - 24 * HOUR_MS), 3);
    assertThat(samples("rondo_lag_seconds_bucket"))
        .contains(
            "{source=\"points\",stage=\"merged\",le=\"0.1\"} 0",
            "{source=\"points\",stage=\"merged\",le=\"0.3\"} 3");
    assertThat(samples("rondo_lag_seconds_sum"))
        .containsExactly("{source=\"points\",stage=\"merged\"} 0.75");
  }

  @Test
  void shouldShowTheOldestRecordInBySeries() {
    lag.see(Map.of(REGROUPED, 9L), nowMs);
    consumer.moved(REGROUPED, 5);
    nowMs += 2_000;
    assertThat(waiting())
        .containsExactly("{partition=\"0\",source=\"by-series\",stage=\"received\"} 2.0");
  }

  @Test
  void shouldNameThePartitionThatTheMergeAwaits() {
    Arrival waits = new Arrival(ONE, nowMs - 30_000);
    task.update(List.of(waits), new Arrival(OTHER, waits.atMs()), List.of());
    assertThat(waiting())
        .containsExactly("{partition=\"0\",source=\"points\",stage=\"merged\"} 30.0");
    assertThat(samples("rondo_merge_awaited_seconds"))
        .containsExactly("{partition=\"1\",source=\"points\"} 30.0");
    task.update(List.of(), null, List.of());
    assertThat(waiting()).isEmpty();
  }

  @Test
  void shouldForgetClosedTasksAndConsumers() {
    lag.see(Map.of(ONE, 9L), nowMs);
    consumer.moved(ONE, 5);
    task.update(List.of(), null, List.of(new Arrival(ONE, nowMs - 1_000)));
    assertThat(waiting()).hasSize(3);
    lag.remove(consumer);
    lag.remove(task);
    assertThat(waiting()).isEmpty();
  }

  @Test
  void shouldShareOneLabelBeyondTheFirstSources() {
    for (int n = 0; n < 2 * Lag.MAX_SOURCES; n++) {
      lag.reached(Stage.DECODED, new Arrival(new TopicPartition("t" + n, 0), nowMs), 1);
    }
    assertThat(samples("rondo_lag_seconds_count"))
        .hasSize(Lag.MAX_SOURCES + 1)
        .contains("{source=\"(others)\",stage=\"decoded\"} " + Lag.MAX_SOURCES);
  }

  private List<String> waiting() {
    return samples("rondo_lag_waiting_seconds");
  }

  private List<String> samples(String metric) {
    return registry
        .scrape()
        .lines()
        .filter(line -> line.startsWith(metric + "{") || line.startsWith(metric + " "))
        .map(line -> line.substring(metric.length()))
        .toList();
  }
}
