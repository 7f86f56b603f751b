package dev.rondo.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.FreePort;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Without a broker, the application is not affected, and no point is dropped silently. */
class WithoutKafkaTest {
  @Test
  void shouldCountUnpublishedPoints() {
    var client =
        new RondoClient(
            Map.of(
                "bootstrap.servers",
                "127.0.0.1:" + FreePort.choose(),
                "rondo.client.prefix",
                "shop",
                "rondo.client.step.ms",
                1000));
    Counter counter = client.counter("orders");
    counter.add();
    await().atMost(Duration.ofMinutes(3)).until(() -> client.dropped() >= 6);
    long undelivered = client.close(Duration.ofSeconds(1));
    assertThat(undelivered).isEqualTo(client.dropped()).isGreaterThanOrEqualTo(6);
    counter.add();
    assertThat(client.published()).isZero();
    assertThat(counter.total()).isEqualTo(2);
  }
}
