package dev.rondo.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.connection.kafka.KafkaSettings;
import dev.rondo.embedded.NewTopics;
import dev.rondo.embedded.secured.SecuredBroker;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that refuses the user for a while, as one does whose logins are being restored. */
class PointPublisherIT {
  private static final int REFUSALS = 20;

  @TempDir Path dir;

  @Test
  void shouldBufferWhileItIsRefused() throws Exception {
    try (var broker = SecuredBroker.start(dir.resolve("kafka"), Map.of());
        var reader = new TopicReader(broker.broker().bootstrap())) {
      createTopic(broker.broker().bootstrap());
      KafkaSettings refused = KafkaSettings.read(null, write(broker.scram("late")));
      var drops = new DropLog(Clock.systemUTC());
      try (var publisher = new PointPublisher(refused, "points", "web01", drops, 1000)) {
        publisher.publish(List.of("a 1 1700000000\n".getBytes(StandardCharsets.UTF_8)));
        for (int n = 0; n < REFUSALS; n++) { // the first ones may only wait for an answer
          publisher.publish(List.of());
        }
        broker.addScramUsers("late");
        await("what was buffered")
            .atMost(Duration.ofMinutes(1))
            .until(
                () -> {
                  publisher.publish(List.of());
                  return reader.readings().size() == 1;
                });
      }
      assertThat(drops.total()).isZero();
    }
  }

  private static void createTopic(String bootstrap) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      NewTopics.create(admin, List.of(new NewTopic("points", 1, (short) 1)));
    }
  }

  private Path write(Map<String, String> settings) throws Exception {
    var properties = new Properties();
    properties.putAll(settings);
    Path file = dir.resolve("kafka.properties");
    try (Writer out = Files.newBufferedWriter(file)) {
      properties.store(out, null);
    }
    return file;
  }
}
