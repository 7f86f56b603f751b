package dev.rondo.embedded;

import java.nio.file.Path;
import kafka.Kafka;

/**
 * Main class of the broker's process: Kafka's own, after the session of a killed broker is over.
 */
final class KafkaMain {
  private KafkaMain() {}

  /** Runs the broker whose properties are in the file that {@code args} name. */
  public static void main(String[] args) throws Exception {
    FormerSession.endIfKilled(Path.of(args[0]));
    Kafka.main(args);
  }
}
