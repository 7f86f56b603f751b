package dev.rondo.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.harness.parts.Instances;
import dev.rondo.harness.parts.Services;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * With {@code emit.open} a value is readable in the middle of its slot, without it only when the
 * slot is closed. Slots of an hour, so that nothing depends on when the test runs.
 */
@Timeout(300)
class EmitOpenIT {
  private static final Duration BOUND = Duration.ofMinutes(1);
  private static final long HOUR_MS = 3_600_000;
  private static final long MINUTE_MS = 60_000;

  /** Two hours ago, aligned. */
  private final long hourMs = System.currentTimeMillis() / HOUR_MS * HOUR_MS - 2 * HOUR_MS;

  @TempDir Path dir;

  private Services services;
  private KafkaProducer<byte[], byte[]> producer;
  private String topic;

  @Test
  void shouldShowAValueInTheMiddleOfItsSlot() throws Exception {
    withInstance(
        "open-on",
        true,
        () -> {
          send("half", 40, 3);
          await().atMost(BOUND).untilAsserted(() -> assertThat(values("half")).isEqualTo("3"));
          send("half", 60, 9);
          await().atMost(BOUND).untilAsserted(() -> assertThat(values("half")).isEqualTo("5"));
        });
  }

  @Test
  void shouldShowNoValueBeforeTheEndOfItsSlotWithoutIt() throws Exception {
    withInstance(
        "open-off",
        false,
        () -> {
          send("half", 40, 3);
          send("whole", 60, 7); // in the row of the same slot, which is sent later
          await().atMost(BOUND).untilAsserted(() -> assertThat(values("whole")).isEqualTo("7"));
          assertThat(values("half")).isEmpty();
          send("half", 60, 9);
          await().atMost(BOUND).untilAsserted(() -> assertThat(values("half")).isEqualTo("5"));
        });
  }

  /** What a test does while an instance runs. */
  @FunctionalInterface
  private interface Events {
    void run() throws Exception;
  }

  /** Both series have a point at the start of the hour, and live in one segment. */
  private void withInstance(String name, boolean emitsOpen, Events events) throws Exception {
    services = Services.shared();
    topic = name;
    services.createTopic(name, Instances.PARTITIONS, Map.of());
    Path folder = Files.createDirectories(dir.resolve(name));
    Path policies =
        Files.writeString(
            folder.resolve("policies.yaml"),
            "policies: [{name: %s, match: '.*', step: 1h, heartbeat: 1d, emit.open: %b, archives: ['1h:10d']}]"
                .formatted(name, emitsOpen));
    Path sources =
        Files.writeString(
            folder.resolve("sources.yaml"),
            "sources: [{topic: %s, format: graphite, keyed: true}]".formatted(name));
    Map<String, Object> config = Map.of("bootstrap.servers", services.bootstrap());
    try (var instances = new Instances(services, name, List.of(name), policies, 0);
        var sender =
            new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer = sender;
      instances
          .with("sources.file", sources.toString())
          .with("refresh.ms", Long.toString(24 * HOUR_MS))
          .add()
          .awaitRunning();
      send("half", 0, 0);
      send("whole", 0, 0);
      events.run();
    }
  }

  private void send(String series, int minute, int value) throws Exception {
    long tS = (hourMs + minute * MINUTE_MS) / 1000;
    byte[] line =
        "%s.%s %d %d\n".formatted(topic, series, value, tS).getBytes(StandardCharsets.UTF_8);
    producer.send(new ProducerRecord<>(topic, 0, null, line)).get();
  }

  /** Values of a series, from the view tv. */
  private String values(String series) throws SQLException {
    try (var connection = DriverManager.getConnection(services.jdbcUrl());
        var statement =
            connection.prepareStatement(
                """
                select coalesce(string_agg(r::text, ' ' order by t), '') from ds
                join tv on tv.ds_id = ds.id where ident ->> 'name' = ? and r is not null
                """)) {
      statement.setString(1, topic + "." + series);
      try (var result = statement.executeQuery()) {
        result.next();
        return result.getString(1);
      }
    }
  }
}
