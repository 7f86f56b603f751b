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
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * With {@code emit.open} a value is readable in the middle of its slot, without it only when the
 * slot is closed. Slots of an hour, so that nothing depends on when the test runs.
 */
@Timeout(900)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EmitOpenIT {
  private static final long HOUR_MS = 3_600_000;
  private static final long MINUTE_MS = 60_000;
  private static final String TOPIC = "emit-open";

  /** By name of the policy, with which the names of its series begin: whether it emits them. */
  private static final Map<String, Boolean> POLICIES = Map.of("open-on", true, "open-off", false);

  /** Two hours ago, aligned. */
  private final long hourMs = System.currentTimeMillis() / HOUR_MS * HOUR_MS - 2 * HOUR_MS;

  @TempDir static Path dir;

  private Services services;
  private Instances instances;
  private KafkaProducer<byte[], byte[]> producer;

  /** All series have a point at the start of the hour; those of a policy live in one segment. */
  @BeforeAll
  void start() throws Exception {
    services = Services.shared();
    services.createTopic(TOPIC, Instances.PARTITIONS, Map.of());
    String items =
        POLICIES.entrySet().stream()
            .map(
                each ->
                    "{name: %s, match: '^%1$s', step: 1h, heartbeat: 1d, emit.open: %b, archives: ['1h:10d']}"
                        .formatted(each.getKey(), each.getValue()))
            .collect(Collectors.joining(", "));
    Path policies =
        Files.writeString(dir.resolve("policies.yaml"), "policies: [%s]".formatted(items));
    Path sources =
        Files.writeString(
            dir.resolve("sources.yaml"),
            "sources: [{topic: %s, format: graphite, keyed: true}]".formatted(TOPIC));
    instances = new Instances(services, TOPIC, List.of(TOPIC), policies, 0);
    instances
        .with("sources.file", sources.toString())
        .with("refresh.ms", Long.toString(24 * HOUR_MS))
        .add()
        .awaitRunning();
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", services.bootstrap()),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    for (String policy : POLICIES.keySet()) {
      send(policy + ".half", 0, 0);
      send(policy + ".whole", 0, 0);
    }
  }

  @AfterAll
  void end() {
    if (producer != null) {
      producer.close();
    }
    if (instances != null) {
      instances.close();
    }
  }

  @Test
  void shouldShowAValueInTheMiddleOfItsSlot() throws Exception {
    send("open-on.half", 40, 3);
    awaitValues("open-on.half", "3");
    send("open-on.half", 60, 9);
    awaitValues("open-on.half", "5");
  }

  @Test
  void shouldShowNoValueBeforeTheEndOfItsSlotWithoutIt() throws Exception {
    send("open-off.half", 40, 3);
    send("open-off.whole", 60, 7); // in the row of the same slot, which is sent later
    awaitValues("open-off.whole", "7");
    assertThat(values("open-off.half")).isEmpty();
    send("open-off.half", 60, 9);
    awaitValues("open-off.half", "5");
  }

  private void awaitValues(String series, String expected) {
    await("values of " + series)
        .untilAsserted(() -> assertThat(values(series)).isEqualTo(expected));
  }

  private void send(String series, int minute, int value) throws Exception {
    long tS = (hourMs + minute * MINUTE_MS) / 1000;
    byte[] line = "%s %d %d\n".formatted(series, value, tS).getBytes(StandardCharsets.UTF_8);
    producer.send(new ProducerRecord<>(TOPIC, 0, null, line)).get();
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
      statement.setString(1, series);
      try (var result = statement.executeQuery()) {
        result.next();
        return result.getString(1);
      }
    }
  }
}
