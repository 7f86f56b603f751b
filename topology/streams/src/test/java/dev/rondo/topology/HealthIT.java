package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.TopologyProcess;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What the probes answer while the broker is away. */
@Tag("long")
class HealthIT {
  private static final Duration BOUND = Duration.ofMinutes(3);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  @Test
  void shouldStayAliveButNotReadyWithoutTheBroker() throws Exception {
    KafkaBroker kafka = KafkaBroker.start(dir.resolve("kafka"), 0);
    int port = kafka.port();
    try (var topology = new TopologyProcess(dir, kafka.bootstrap()).set("partitions", 1)) {
      topology.start();
      await().atMost(BOUND).until(() -> topology.get("/health/ready").contains("\"ok\":true"));
      answersThoughOthersNeverFinishTheirRequests(topology);
      kafka.kill();
      await().atMost(BOUND).until(() -> topology.get("/health/ready").contains("\"ok\":false"));
      assertThat(topology.get("/health/live")).contains("\"ok\":true");
      kafka = KafkaBroker.start(dir.resolve("kafka"), port);
      await().atMost(BOUND).until(() -> topology.get("/health/ready").contains("\"ok\":true"));
      assertThat(topology.get("/health/live")).contains("\"ok\":true");
    } finally {
      kafka.close();
    }
  }

  /** As many as there are threads, and more. */
  private static void answersThoughOthersNeverFinishTheirRequests(TopologyProcess topology)
      throws Exception {
    List<Socket> others = new ArrayList<>();
    for (int n = 0; n < 4; n++) {
      Socket other = new Socket(InetAddress.getLoopbackAddress(), topology.httpPort());
      other.getOutputStream().write("GET /hea".getBytes(StandardCharsets.US_ASCII));
      others.add(other);
    }
    await().atMost(BOUND).until(() -> topology.get("/health/live").contains("\"ok\":true"));
    for (Socket other : others) {
      other.close();
    }
  }
}
