package dev.rondo.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.connection.kafka.KafkaSettings;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A real producer without a broker. */
class PointPublisherTest {
  private final List<String> lines = new ArrayList<>();
  private final DropLog drops = new DropLog(Clock.systemUTC(), lines::add);

  @Test
  void shouldDropTheOldestPastTheBound() throws Exception {
    try (var publisher =
        new PointPublisher(
            KafkaSettings.read("127.0.0.1:" + closedPort(), null), "points", "web01", drops, 10)) {
      publisher.publish(List.of(new byte[4], new byte[6]));
      assertThat(drops.total()).isZero();

      publisher.publish(List.of(new byte[5]));
      assertThat(drops.total()).isEqualTo(2);
      assertThat(lines)
          .containsExactly(
              "dropped 1 records, 1 since the start;"
                  + " last reason: 15 bytes buffered for topic points, bound 10");
    }
    assertThat(drops.total()).isEqualTo(3);
    assertThat(lines)
        .last()
        .asString()
        .startsWith("dropped 2 records, 3 since the start")
        .endsWith("the collector ended before topic points was available");
  }

  private static int closedPort() throws Exception {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
