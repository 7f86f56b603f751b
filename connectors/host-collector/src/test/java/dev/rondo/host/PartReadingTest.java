package dev.rondo.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import org.junit.jupiter.api.Test;

class PartReadingTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void shouldMakeNodesOfLabels() {
    var reading =
        reading(
            0,
            "rondo_consolidate_policy_version{task=\"1_0\"} 2",
            "rondo_consolidate_series{policy=\"Web.all\",task=\"1_0\"} 3",
            "rondo_merge_disorder_seconds{topic=\"\"} 4",
            "rondo_route{route=\"/metrics/find\"} 5",
            "kafka_connect_task_status{connector=\"c\",task=\"0\",status=\"running\"} 1");

    assertThat(reading.gauges())
        .containsExactly(
            entry("consolidate_policy_version.1_0", 2.0),
            entry("consolidate_series.web_all.1_0", 3.0),
            entry("merge_disorder_seconds._", 4.0),
            entry("route.metrics_find", 5.0),
            entry("kafka_connect_task_status.c.running.0", 1.0));
  }

  @Test
  void shouldReturnCountersPerSecond() {
    var earlier = reading(0, "rondo_drops_points_total{reason=\"late\"} 100");
    var later = reading(10, "rondo_drops_points_total{reason=\"late\"} 125");

    assertThat(earlier.gauges()).isEmpty();
    assertThat(later.valuesSince(earlier)).containsExactly(entry("drops_points.late", 2.5));
  }

  @Test
  void shouldCountFromZeroForNewAndRestartedCounters() {
    var earlier = reading(0, "rondo_a_total 100");
    var later = reading(10, "rondo_a_total 20", "rondo_b_total 5");

    assertThat(later.valuesSince(earlier)).containsExactly(entry("a", 2.0), entry("b", 0.5));
  }

  @Test
  void shouldReturnQuantilesOfNewValues() {
    var earlier = histogram(0, 4, 5, 6, 30);
    var later = histogram(10, 4, 7, 8, 50);

    assertThat(later.valuesSince(earlier))
        .containsOnly(
            entry("lag_seconds.a_b.sent.count", 0.2),
            entry("lag_seconds.a_b.sent.sum", 2.0),
            entry("lag_seconds.a_b.sent.p50", 5.5),
            entry("lag_seconds.a_b.sent.p99", 9.91));
    assertThat(later.valuesSince(histogram(0, 4, 7, 8, 50)))
        .containsOnlyKeys("lag_seconds.a_b.sent.count", "lag_seconds.a_b.sent.sum");
  }

  private static PartReading histogram(
      long seconds, double upTo1, double upTo10, double all, double sum) {
    String labels = "source=\"a.b\",stage=\"sent\"";
    return reading(
        seconds,
        "rondo_lag_seconds_bucket{%s,le=\"1\"} %s".formatted(labels, upTo1),
        "rondo_lag_seconds_bucket{%s,le=\"10\"} %s".formatted(labels, upTo10),
        "rondo_lag_seconds_bucket{%s,le=\"+Inf\"} %s".formatted(labels, all),
        "rondo_lag_seconds_count{%s} %s".formatted(labels, all),
        "rondo_lag_seconds_sum{%s} %s".formatted(labels, sum));
  }

  /** The JMX exporter reserves the other ending. */
  @Test
  void shouldReadAHistogramOfTheSink() {
    var reading =
        reading(
            0,
            "rondo_sink_put_seconds_le{connector=\"c\",task=\"0\",le=\"1\"} 3",
            "rondo_sink_put_seconds_le{connector=\"c\",task=\"0\",le=\"+Inf\"} 5");

    assertThat(reading.histograms()).containsOnlyKeys("sink_put_seconds.c.0");
    assertThat(reading.gauges()).isEmpty();
  }

  @Test
  void shouldOmitPartitionAndError() {
    var reading =
        reading(
            0,
            "rondo_lag_waiting_seconds{partition=\"3\",source=\"s\",stage=\"sent\"} 7",
            "rondo_lag_waiting_seconds{partition=\"4\",source=\"s\",stage=\"sent\"} 5",
            "rondo_sink_retry_error{connector=\"c\",task=\"0\",error=\"[53100] full\"} 1");

    assertThat(reading.gauges())
        .containsExactly(
            entry("lag_waiting_seconds.s.sent", 7.0), entry("sink_retry_error.c.0", 1.0));
  }

  @Test
  void shouldPublishMetricsOfRondo() {
    assertThat(PartReading.isWanted("rondo_decode_points_total")).isTrue();
    assertThat(PartReading.isWanted("kafka_connect_task_status")).isTrue();
    assertThat(PartReading.isWanted("kafka_consumer_fetch_rate")).isFalse();
    assertThat(PartReading.isWanted("rondo_query_points_created")).isFalse();
  }

  private static PartReading reading(long seconds, String... lines) {
    return PartReading.of(
        seconds * SECOND, Exposition.parse(String.join("\n", lines), metric -> true));
  }
}
