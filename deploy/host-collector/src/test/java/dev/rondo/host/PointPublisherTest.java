package dev.rondo.host;

import static org.apache.kafka.clients.producer.ProducerConfig.MAX_BLOCK_MS_CONFIG;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.ServerSocket;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A real producer, and no broker. */
class PointPublisherTest {
  @Test
  void shouldCountWhatItCannotHold() throws Exception {
    var drops = new DropLog(Clock.systemUTC());
    try (var publisher = withoutBroker(drops)) {
      assertThat(publisher.knowsTopic()).isFalse();

      publisher.publish(List.of(new byte[] {1}, new byte[] {2}));

      assertThat(drops.total()).isEqualTo(2);
    }
  }

  private static PointPublisher withoutBroker(DropLog drops) throws Exception {
    int closedPort;
    try (var socket = new ServerSocket(0)) {
      closedPort = socket.getLocalPort();
    }
    var config = PointPublisher.config("127.0.0.1:" + closedPort);
    config.put(MAX_BLOCK_MS_CONFIG, 100);
    return new PointPublisher("points", drops, config);
  }
}
