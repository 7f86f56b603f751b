package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.connection.kafka.ReplicationCheck;
import dev.rondo.connection.kafka.Weakness;
import dev.rondo.connection.kafka.Weakness.Kind;
import dev.rondo.embedded.KafkaCluster;
import dev.rondo.embedded.NewTopics;
import dev.rondo.embedded.TopologyProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Three brokers with Kafka's default replication factor of 1. */
@Tag("long")
class ReplicationIT {
  private static final Set<String> OWN =
      Set.of(
          "points",
          "rondo.series",
          "rondo.bundle-rows",
          "rondo.events",
          "rondo.dead-letters",
          "rondo.replays",
          "rondo.partitions",
          "rondo.policies",
          "rondo.series-requests",
          "rondo-by-series-repartition",
          "rondo-merge-buffer-changelog",
          "rondo-segments-changelog",
          "rondo-locations-changelog",
          "rondo-deleted-changelog");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  @Test
  void shouldReplicateEveryTopicAsTheClusterAllows() throws Exception {
    try (KafkaCluster kafka = KafkaCluster.start(dir, 3);
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()));
        var topology = new TopologyProcess(dir, kafka.bootstrap()).set("partitions", 2)) {
      await()
          .atMost(Duration.ofMinutes(3))
          .until(() -> admin.describeCluster().nodes().get().size() == 3);
      NewTopics.create(admin, List.of(new NewTopic("as-it-is", 1, (short) 1)));
      topology.start();

      assertThat(admin.listTopics().names().get()).containsAll(OWN);
      var topics = admin.describeTopics(OWN).allTopicNames().get();
      assertThat(topics.values())
          .allSatisfy(
              topic -> {
                assertThat(topic.partitions())
                    .as(topic.name())
                    .allSatisfy(partition -> assertThat(partition.replicas()).hasSize(3));
                assertThat(minInSync(admin, topic.name())).as(topic.name()).isEqualTo("2");
              });

      assertThat(ReplicationCheck.of(admin, OWN::contains).weaknesses()).isEmpty();
      assertThat(ReplicationCheck.of(admin, "as-it-is"::equals).weaknesses())
          .containsExactly(new Weakness(Kind.FEW_REPLICAS, List.of("as-it-is"), 1, 1, 3));
    }
  }

  private static String minInSync(Admin admin, String topic) throws Exception {
    var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    var configs = admin.describeConfigs(List.of(resource)).all().get().get(resource);
    return configs.get("min.insync.replicas").value();
  }
}
