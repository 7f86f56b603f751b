package dev.rondo.connect.postgres;

/** Kafka cannot be asked for its topics. */
final class NoKafkaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoKafkaException(Throwable cause) {
    super(
        "Kafka does not tell its topics, check %s* of the connector: %s"
            .formatted(PostgresSinkConfig.KAFKA, cause),
        cause);
  }
}
