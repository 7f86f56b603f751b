package dev.rondo.embedded;

import java.nio.file.Path;
import kafka.Kafka;

/** Main class of the broker's process: ends the previous session, then runs Kafka's main class. */
final class KafkaMain {
  private KafkaMain() {}

  /** Runs the broker with the properties file in {@code args}. */
  public static void main(String[] args) throws Exception {
    PreviousSession.end(Path.of(args[0]));
    Kafka.main(args);
  }
}
