package dev.rondo.local.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.connection.kafka.KafkaSettings;
import dev.rondo.embedded.ConnectWorker;
import dev.rondo.embedded.JavaCommand;
import dev.rondo.embedded.KafkaCluster;
import dev.rondo.embedded.Launch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A worker on three brokers whose default replication factor is 1. */
@Tag("long")
class ConnectSettingsIT {
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  @Test
  void shouldKeepTheTopicsOfConnectOnAllBrokers() throws Exception {
    Path plugins = Files.createDirectory(dir.resolve("plugins"));
    try (KafkaCluster kafka = KafkaCluster.start(dir, 3);
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()))) {
      await()
          .atMost(Duration.ofMinutes(3))
          .until(() -> admin.describeCluster().nodes().get().size() == 3);
      try (ConnectWorker worker =
          ConnectWorker.start(
              dir.resolve("connect"),
              0,
              ConnectSettings.of(
                  KafkaSettings.plaintext(kafka.bootstrap()), "rondo-connect", plugins),
              Launch.to(dir.resolve("connect.log")),
              JavaCommand.withOptions("256m", List.of(), ConnectWorker.MAIN))) {
        assertThat(worker.process().isAlive()).isTrue();
        var topics =
            admin
                .describeTopics(
                    List.of("rondo-connect-offset", "rondo-connect-config", "rondo-connect-status"))
                .allTopicNames()
                .get();
        assertThat(topics.values())
            .flatExtracting(topic -> topic.partitions())
            .allSatisfy(partition -> assertThat(partition.replicas()).hasSize(3));
      }
    }
  }
}
