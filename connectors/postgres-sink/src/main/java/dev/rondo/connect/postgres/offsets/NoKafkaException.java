package dev.rondo.connect.postgres.offsets;

import dev.rondo.connect.postgres.config.PostgresSinkConfig;

/** Kafka cannot be asked for its topics. */
public final class NoKafkaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoKafkaException(Throwable cause) {
    super(
        "Kafka does not tell its topics, check %s* of the connector: %s"
            .formatted(PostgresSinkConfig.KAFKA, cause),
        cause);
  }
}
