package dev.rondo.topology;

import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.KafkaCluster;
import dev.rondo.embedded.NewTopics;
import dev.rondo.embedded.TopologyProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A source partition whose only broker is down does not stop the other sources. */
@Tag("long")
class OfflineSourceIT {
  private static final int OFFLINE = 3;
  private static final long BASE_S = 1_699_920_000L;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  private int rounds;

  @Test
  void shouldReadOtherSourcesWhileAPartitionHasNoLeader() throws Exception {
    try (KafkaCluster kafka = KafkaCluster.start(dir, 3)) {
      Map<String, Object> client = Map.of("bootstrap.servers", kafka.bootstrap());
      try (Admin admin = Admin.create(client);
          Producer<byte[], byte[]> producer =
              new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer());
          TopologyProcess topology = topology(kafka)) {
        await("all brokers").until(() -> admin.describeCluster().nodes().get().size() == 3);
        NewTopics.create(
            admin,
            List.of(
                new NewTopic("staying", 2, (short) 3),
                new NewTopic("offline", Map.of(0, List.of(OFFLINE)))));
        topology.start();
        round(producer, topology, "staying", "offline");

        kafka.kill(OFFLINE);
        round(producer, topology, "staying");
        round(producer, topology, "staying");
        topology.kill();
        topology.start();
        round(producer, topology, "staying");

        kafka.start(OFFLINE);
        round(producer, topology, "staying", "offline");
      }
    }
  }

  private TopologyProcess topology(KafkaCluster kafka) throws Exception {
    String sources =
        "sources: [{topic: staying, format: graphite}, {topic: offline, format: graphite}]";
    return new TopologyProcess(dir, kafka.bootstrap())
        .set("sources.file", Files.writeString(dir.resolve("sources.yaml"), sources))
        .set("max.age.ms", Long.MAX_VALUE)
        .set("merge.max.wait.ms", 10_000)
        .set("partitions", 2);
  }

  /** Sends a point of each topic, and waits until all are consolidated. */
  private void round(Producer<byte[], byte[]> producer, TopologyProcess topology, String... topics)
      throws Exception {
    rounds++;
    long tS = BASE_S + 10L * rounds;
    for (String topic : topics) {
      String line = "%s %d %d%n".formatted(topic, rounds, tS);
      producer.send(new ProducerRecord<>(topic, line.getBytes(StandardCharsets.UTF_8))).get();
    }
    for (String topic : topics) {
      await("the point of round %d of %s".formatted(rounds, topic))
          .atMost(Duration.ofMinutes(3))
          .until(
              () -> topology.get("/series?ident=" + topic),
              series -> series.contains("\"newest_ms\" : %d000".formatted(tS)));
    }
  }
}
