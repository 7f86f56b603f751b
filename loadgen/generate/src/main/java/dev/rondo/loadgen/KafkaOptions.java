package dev.rondo.loadgen;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.connection.kafka.KafkaConfigOption;
import dev.rondo.connection.kafka.KafkaSettings;
import dev.rondo.loadgen.send.ProducerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.TimeoutException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the Kafka cluster and the topic. */
final class KafkaOptions {
  @Option(
      names = "--kafka",
      paramLabel = "BOOTSTRAP",
      description =
          "Kafka brokers, HOST:PORT[,HOST:PORT] (default: those of --kafka-config or RONDO_KAFKA_BOOTSTRAP_SERVERS, else of ./rondo up).")
  private String bootstrap;

  @Mixin private final KafkaConfigOption kafkaConfig = new KafkaConfigOption();

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Data folder of ./rondo up (default: .rondo in the clone).")
  private Path dir;

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      defaultValue = "points",
      description =
          "Topic to send to; it must exist, unless --partitions is given (default: points).")
  private String topic;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description = "Create the topic with this number of partitions if it does not exist.")
  private Integer partitions;

  @Option(
      names = "--timestamp-type",
      paramLabel = "TYPE",
      defaultValue = "create",
      description =
          "message.timestamp.type of a created topic: create or append (default: create).")
  private SourceTopic.TimestampType timestampType;

  @Option(
      names = "--producer",
      paramLabel = "KEY=VALUE",
      description = "A setting of Kafka's producer; repeatable.")
  private final Map<String, String> producer = new LinkedHashMap<>();

  String topic() {
    return topic;
  }

  /** The data folder: --dir, or .rondo in the clone whose script ./rondo is running. */
  Path home() {
    return dir != null ? dir : Path.of(System.getProperty("rondo.root", "."), ".rondo");
  }

  /** The producer's settings. */
  ProducerSettings settings() throws IOException {
    return new ProducerSettings(kafka(), producer);
  }

  private KafkaSettings kafka() throws IOException {
    try {
      KafkaSettings given = KafkaSettings.read(bootstrap, kafkaConfig.file());
      return given.bootstrap().isEmpty() ? runningKafka() : given;
    } catch (ConfigException e) {
      throw new BadInputException(e.getMessage());
    }
  }

  private String bootstrap() throws IOException {
    return kafka().bootstrap();
  }

  /** Brokers and settings of ./rondo up. */
  private KafkaSettings runningKafka() throws IOException {
    Path file = home().resolve("rondo.json");
    JsonNode state =
        Files.isReadable(file)
            ? new ObjectMapper().readTree(file.toFile())
            : new ObjectMapper().missingNode();
    JsonNode kafka = state.path("kafka");
    if (!kafka.isTextual()) {
      throw new BadInputException(
          "no Rondo has been started in %s: start one (./rondo up), or name Kafka's brokers (--kafka)"
              .formatted(home()));
    }
    JsonNode config = state.path("kafkaConfig");
    boolean isRecorded = kafkaConfig.file() == null && config.isTextual();
    return KafkaSettings.read(
        kafka.textValue(), isRecorded ? Path.of(config.textValue()) : kafkaConfig.file());
  }

  /** Number of partitions of the topic; creates the topic if --partitions is given. */
  int partitions() throws IOException, InterruptedException, ExecutionException {
    Map<String, Object> config = new LinkedHashMap<>(producer);
    config.keySet().retainAll(AdminClientConfig.configNames());
    config.remove(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG);
    try (Admin admin = Admin.create(kafka().with(config))) {
      return partitions(new SourceTopic(admin, topic));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TimeoutException timeout) {
        throw new IllegalStateException(
            "Kafka at %s did not answer (--kafka): %s%s"
                .formatted(
                    bootstrap(),
                    timeout.getMessage(),
                    timeout.getCause() == null ? "" : ": " + timeout.getCause().getMessage()),
            e);
      }
      throw e;
    }
  }

  private int partitions(SourceTopic source)
      throws IOException, InterruptedException, ExecutionException {
    Optional<Integer> existing = source.partitions();
    if (existing.isEmpty() && partitions == null) {
      throw new BadInputException(
          "there is no topic '%s' in Kafka at %s (--topic; --partitions creates it)"
              .formatted(topic, bootstrap()));
    }
    if (existing.isEmpty()) {
      source.create(partitions, timestampType);
      return partitions;
    }
    if (partitions != null && !partitions.equals(existing.get())) {
      throw new BadInputException(
          "the topic '%s' has %d partitions, not %d (--partitions)"
              .formatted(topic, existing.get(), partitions));
    }
    return existing.get();
  }
}
