package dev.rondo.loadgen;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.loadgen.send.ProducerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import picocli.CommandLine.Option;

/** Options that say which Kafka, and which topic. */
final class KafkaOptions {
  private static final int ANSWER_BOUND_SECONDS = 10;

  @Option(
      names = "--kafka",
      paramLabel = "BOOTSTRAP",
      description = "Kafka brokers, HOST:PORT[,HOST:PORT] (default: those of ./rondo up).")
  private String bootstrap;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Data folder of ./rondo up (default: .rondo in the clone).")
  private Path dir;

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      defaultValue = "points",
      description = "Where to send to; it must exist (default: points).")
  private String topic;

  @Option(
      names = "--producer",
      paramLabel = "KEY=VALUE",
      description = "A setting of Kafka's producer; more than once for several.")
  private final Map<String, String> producer = new LinkedHashMap<>();

  String topic() {
    return topic;
  }

  /** The data folder; the script ./rondo tells which clone it is of. */
  Path home() {
    return dir != null ? dir : Path.of(System.getProperty("rondo.root", "."), ".rondo");
  }

  /** The producer's settings. */
  ProducerSettings settings() throws IOException {
    return new ProducerSettings(bootstrap(), producer);
  }

  private String bootstrap() throws IOException {
    if (bootstrap == null) {
      bootstrap = runningKafka();
    }
    return bootstrap;
  }

  private String runningKafka() throws IOException {
    Path file = home().resolve("rondo.json");
    JsonNode kafka =
        Files.isReadable(file)
            ? new ObjectMapper().readTree(file.toFile()).path("kafka")
            : new ObjectMapper().missingNode();
    if (!kafka.isTextual()) {
      throw new BadInputException(
          "no Rondo has been started in %s: start one (./rondo up), or name Kafka's brokers (--kafka)"
              .formatted(home()));
    }
    return kafka.textValue();
  }

  /** How many partitions the topic has; it must exist. */
  int partitions() throws IOException, InterruptedException, ExecutionException {
    Map<String, Object> config = new LinkedHashMap<>(producer);
    config.keySet().retainAll(AdminClientConfig.configNames());
    config.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap());
    try (Admin admin = Admin.create(config)) {
      TopicDescription description =
          admin
              .describeTopics(List.of(topic))
              .allTopicNames()
              .get(ANSWER_BOUND_SECONDS, TimeUnit.SECONDS)
              .get(topic);
      return description.partitions().size();
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "Kafka at %s did not answer within %d s (--kafka)"
              .formatted(bootstrap(), ANSWER_BOUND_SECONDS),
          e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException
          || e.getCause() instanceof InvalidTopicException) {
        throw new BadInputException(
            "there is no topic '%s' in Kafka at %s (--topic)".formatted(topic, bootstrap()));
      }
      throw e;
    }
  }
}
