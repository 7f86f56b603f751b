package dev.rondo.connect.postgres.offsets;

import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import org.apache.kafka.common.errors.AuthorizationException;

/** Kafka cannot be asked for topic ids and offsets. */
public final class NoKafkaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoKafkaException(Throwable cause) {
    super(text(cause), cause);
  }

  private static String text(Throwable cause) {
    return cause instanceof AuthorizationException
        ? "Kafka refuses topic ids and offsets: %s. The user of the connector's %s* settings needs Describe on its topics, which Read includes; to see what is missing: ./rondo check access --part=connect"
            .formatted(cause.getMessage(), PostgresSinkConfig.KAFKA)
        : "cannot read topic ids and offsets from Kafka; check the connector's %s* settings: %s"
            .formatted(PostgresSinkConfig.KAFKA, cause);
  }

  /** Whether Kafka answers, but the user lacks a right. */
  public boolean isRefusal() {
    return getCause() instanceof AuthorizationException;
  }
}
