package dev.rondo.client.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.client.RondoClient;
import dev.rondo.embedded.FreePort;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharedClientsTest {
  private final String bootstrap = "127.0.0.1:" + FreePort.choose();

  private Map<String, Object> settings(String prefix) {
    return Map.of(
        "bootstrap.servers", bootstrap, "rondo.client.prefix", prefix, "max.block.ms", 10);
  }

  @Test
  void shouldShareAClientWithTheSameSettings() {
    RondoClient client = SharedClients.with(settings("shop"));
    assertThat(SharedClients.with(settings("shop"))).isSameAs(client);
    assertThat(SharedClients.with(settings("other"))).isNotSameAs(client);
  }

  @Test
  void shouldOmitUuids() {
    String id = "app-0d9e2a7c-11aa-4b5c-8d1e-3f2a1b0c9d8e-StreamThread-1";
    assertThat(RondoMetricsReporter.withoutUuid(id)).isEqualTo("app-StreamThread-1");
    assertThat(RondoMetricsReporter.withoutUuid("orders-1")).isEqualTo("orders-1");
  }
}
