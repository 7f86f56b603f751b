package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.streams.KafkaStreams.State;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HealthTest {
  private final Metrics metrics = new Metrics();
  private State state = State.RUNNING;

  private final Health health =
      new Health(
          () -> state,
          () -> new HashMap<MetricName, Metric>(metrics.metrics()),
          Duration.ofMinutes(5),
          Duration.ofSeconds(10));

  @AfterEach
  void close() {
    metrics.close();
  }

  private void set(String client, String metric, double seconds) {
    MetricName name = new MetricName(metric, "consumer-metrics", "", Map.of("client-id", client));
    metrics.removeMetric(name);
    metrics.addMetric(name, (Gauge<Double>) (MetricConfig config, long nowMs) -> seconds);
  }

  @ParameterizedTest
  @EnumSource(value = State.class, mode = EnumSource.Mode.EXCLUDE, names = "ERROR")
  void shouldBeAliveInAnyStateButError(State any) {
    state = any;
    assertThat(health.notLive()).isEmpty();
    assertThat(health.notReady().isEmpty()).isEqualTo(any == State.RUNNING);
    state = State.ERROR;
    assertThat(health.notLive()).contains("Kafka Streams has failed");
  }

  @Test
  void shouldNotBeAliveIfAThreadDoesNotPoll() {
    set("rondo-1-StreamThread-1-consumer", "last-poll-seconds-ago", 0);
    set("rondo-1-StreamThread-2-consumer", "last-poll-seconds-ago", 300);
    set("rondo-1-StreamThread-2-restore-consumer", "last-poll-seconds-ago", 9_999);
    assertThat(health.notLive()).isEmpty();
    set("rondo-1-StreamThread-2-consumer", "last-poll-seconds-ago", 301);
    assertThat(health.notLive())
        .contains("a stream thread has not polled for 301 s (max.poll.interval.ms)");
    assertThat(health.notReady()).isEmpty();
  }

  @Test
  void shouldNotBeReadyWithoutHeartbeats() {
    set("rondo-1-StreamThread-1-consumer", "last-heartbeat-seconds-ago", -1);
    set("rondo-1-StreamThread-1-consumer", "last-rebalance-seconds-ago", 3);
    assertThat(health.notReady()).isEmpty();
    set("rondo-1-StreamThread-1-consumer", "last-rebalance-seconds-ago", 11);
    assertThat(health.notReady()).contains("no heartbeat to Kafka for 11 s (session.timeout.ms)");
    assertThat(health.notLive()).isEmpty();
  }
}
