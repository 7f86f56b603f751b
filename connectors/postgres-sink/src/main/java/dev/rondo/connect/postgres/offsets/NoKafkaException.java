package dev.rondo.connect.postgres.offsets;

import dev.rondo.connect.postgres.config.PostgresSinkConfig;

/** Kafka cannot be asked for topic ids and offsets. */
public final class NoKafkaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoKafkaException(Throwable cause) {
    super(
        "cannot read topic ids and offsets from Kafka; check the connector's %s* settings: %s"
            .formatted(PostgresSinkConfig.KAFKA, cause),
        cause);
  }
}
