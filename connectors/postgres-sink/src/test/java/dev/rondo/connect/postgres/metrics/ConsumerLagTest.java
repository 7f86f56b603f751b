package dev.rondo.connect.postgres.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.JmxReporter;
import org.apache.kafka.common.metrics.KafkaMetricsContext;
import org.apache.kafka.common.metrics.Measurable;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.Test;

class ConsumerLagTest {
  private static final Map<String, String> TASK = Map.of("name", "lag-test", "task.id", "3");

  @Test
  void shouldReadEachPartitionOnceUnderBothNamesOfItsTopic() {
    try (var metrics =
        new Metrics(
            new MetricConfig(),
            List.of(new JmxReporter()),
            Time.SYSTEM,
            new KafkaMetricsContext("kafka.consumer"))) {
      for (String topic : List.of("lag.test", "lag_test")) {
        add(metrics, "records-lag", topic, 0, 7);
        add(metrics, "records-lag", topic, 1, 5);
        add(metrics, "records-lead", topic, 1, 40);
      }
      assertThat(ConsumerLag.of(TASK)).isEqualTo(12);
      assertThat(ConsumerLag.lead(TASK, new TopicPartition("lag.test", 1))).isEqualTo(40);
      assertThat(ConsumerLag.lead(TASK, new TopicPartition("lag.test", 2))).isNaN();
    }
  }

  private static void add(Metrics metrics, String name, String topic, int partition, double value) {
    var tags =
        Map.of(
            "topic",
            topic,
            "partition",
            Integer.toString(partition),
            "client-id",
            "connector-consumer-lag-test-3");
    metrics.addMetric(
        metrics.metricName(name, "consumer-fetch-manager-metrics", "", tags),
        (Measurable) (config, nowMs) -> value);
  }
}
