package dev.rondo.connection.kafka;

import java.nio.file.Path;
import java.util.Properties;
import picocli.CommandLine.Option;

/** The option of every command that connects to Kafka. */
public final class KafkaConfigOption {
  @Option(
      names = "--kafka-config",
      paramLabel = "FILE",
      description =
          "Kafka client settings, such as security.protocol, ssl.* and sasl.* (default: those of the"
              + " topology, else RONDO_KAFKA_CONFIG).")
  private Path file;

  /** Returns the file; null if the option is absent. */
  public Path file() {
    return file;
  }

  /** Replaces {@code kafka.config} in the topology's properties, if the option is given. */
  public void addTo(Properties topology) {
    if (file != null) {
      topology.setProperty("kafka.config", file.toString());
    }
  }
}
