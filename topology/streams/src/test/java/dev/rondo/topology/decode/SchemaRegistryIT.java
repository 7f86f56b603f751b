package dev.rondo.topology.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.NewTopics;
import dev.rondo.formats.RecordLimits;
import dev.rondo.formats.schemaregistry.RegistryServer;
import dev.rondo.schemas.Points;
import dev.rondo.schemas.Topics;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.source.InternalTopics;
import dev.rondo.topology.source.SourceDefaults;
import dev.rondo.topology.source.SourcesFile;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A slow, wrong or dead registry blocks no record whose schema is known. */
class SchemaRegistryIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String SCHEMA =
      """
      {"type":"record","name":"Reading","fields":[{"name":"%s","type":"long"}]}""";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  private final List<String> found = new ArrayList<>();
  private final List<String> dead = new ArrayList<>();
  private final RegistryServer registry =
      RegistryServer.start(0)
          .put("/schemas/ids/1", "AVRO", SCHEMA.formatted("load"))
          .put("/schemas/ids/2", "AVRO", SCHEMA.formatted("other"))
          .put("/schemas/ids/3", "AVRO", SCHEMA.formatted("load"));
  private final KafkaSpace kafka = TestBed.kafka();
  private final String source = kafka.source("readings");
  private final String decoded = DecodeAlone.points(kafka.prefix());
  private KafkaStreams streams;
  private Producer<byte[], byte[]> producer;
  private Consumer<byte[], byte[]> consumer;

  @BeforeEach
  void start() throws Exception {
    String deadLetters = kafka.topic("dead-letters");
    try (Admin admin = Admin.create(kafka.client())) {
      NewTopics.create(
          admin,
          List.of(
              new NewTopic(source, 1, (short) 1),
              new NewTopic(decoded, 1, (short) 1),
              new NewTopic(deadLetters, 1, (short) 1)));
    }
    producer =
        new KafkaProducer<>(kafka.client(), new ByteArraySerializer(), new ByteArraySerializer());
    consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", kafka.bootstrap(),
                "auto.offset.reset", "earliest",
                "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(List.of(new TopicPartition(decoded, 0), new TopicPartition(deadLetters, 0)));
    var defaults =
        new SourceDefaults(
            InternalTopics.DEFAULT,
            1024,
            64,
            RecordLimits.DEFAULT,
            PoliciesFile.parse(Policies.DEFAULT_YAML));
    var sources =
        new SourcesFile(defaults)
            .parse(
                """
                registries:
                  main: {url: '%s', timeout: 3s, retry: 1ms}
                sources:
                  - topic: %s
                    format: avro
                    registry: main
                    mapping: {values: [load]}
                """
                    .formatted(registry.url(), source));
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, kafka.prefix());
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrap());
    properties.put(StreamsConfig.STATE_DIR_CONFIG, dir.resolve("state").toString());
    properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 100);
    streams =
        new KafkaStreams(
            DecodeAlone.topology(
                kafka.prefix(), List.of(source), sources, new SimpleMeterRegistry()),
            properties);
    streams.start();
  }

  @AfterEach
  void stop() {
    streams.close();
    consumer.close();
    producer.close();
    registry.close();
  }

  /** Sends the value, below 64, with the schema of this id. */
  private void send(int id, int value) throws Exception {
    byte[] record = {0, 0, 0, 0, (byte) id, (byte) (2 * value)};
    producer.send(new ProducerRecord<>(source, record)).get();
  }

  private void awaitFound(List<String> points, List<String> deadLetters) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              consumer
                  .poll(Duration.ofMillis(100))
                  .forEach(
                      record -> {
                        if (record.topic().equals(decoded)) {
                          Points batch =
                              Topics.POINTS_SERDE
                                  .deserializer()
                                  .deserialize(decoded, record.value());
                          batch.getPoints().forEach(p -> found.add(p.getIdent() + " " + p.getV()));
                        } else {
                          dead.add(
                              new String(record.headers().lastHeader("rondo.reason").value(), UTF_8)
                                  + " "
                                  + ByteBuffer.wrap(record.value()).getInt(1));
                        }
                      });
              assertThat(found)
                  .as("beside dead letters %s", dead)
                  .containsExactlyElementsOf(points);
              assertThat(dead).containsExactlyElementsOf(deadLetters);
            });
  }

  @Test
  void shouldReadKnownSchemasWhateverTheRegistryDoes() throws Exception {
    send(1, 1);
    send(2, 2); // a schema that the mapping does not fit
    awaitFound(List.of("load 1.0"), List.of("unsupported 2"));

    registry.hold();
    send(3, 3);
    send(1, 4);
    awaitFound(List.of("load 1.0", "load 4.0"), List.of("unsupported 2", "unknown-schema 3"));

    registry.resume();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              send(3, 5); // as ./rondo dead-letters resend would
              awaitNextPoint();
            });

    registry.close();
    found.clear();
    dead.clear();
    send(3, 6);
    send(9, 7);
    send(1, 8);
    awaitFound(List.of("load 6.0", "load 8.0"), List.of("unknown-schema 9"));
  }

  private void awaitNextPoint() {
    await()
        .atMost(Duration.ofMinutes(2))
        .until(
            () -> {
              for (var record : consumer.poll(Duration.ofMillis(100))) {
                if (record.topic().equals(decoded)) {
                  return true;
                }
              }
              return false;
            });
  }
}
