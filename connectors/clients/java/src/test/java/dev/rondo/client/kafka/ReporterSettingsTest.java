package dev.rondo.client.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ReporterSettingsTest {
  @Test
  void shouldConnectLikeTheKafkaClient() {
    Map<String, Object> client =
        Map.of(
            "bootstrap.servers", "broker1:9092",
            "sasl.mechanism", "PLAIN",
            "group.id", "billing",
            "metric.reporters", "dev.rondo.client.kafka.RondoMetricsReporter",
            "rondo.client.prefix", "shop");
    assertThat(ReporterSettings.of(client))
        .containsOnly(
            Map.entry("bootstrap.servers", "broker1:9092"),
            Map.entry("sasl.mechanism", "PLAIN"),
            Map.entry("rondo.client.prefix", "shop.kafka"));
  }

  @Test
  void shouldPublishToAnotherCluster() {
    Map<String, Object> client =
        Map.of(
            "bootstrap.servers", "broker1:9092",
            "rondo.client.tags", "host=web01",
            "rondo.client.producer.bootstrap.servers", "metrics1:9092");
    assertThat(ReporterSettings.of(client))
        .containsOnly(
            Map.entry("bootstrap.servers", "metrics1:9092"),
            Map.entry("rondo.client.tags", "host=web01"),
            Map.entry("rondo.client.prefix", "kafka"));
  }
}
