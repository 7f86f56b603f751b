package dev.rondo.embedded;

import java.nio.file.Path;
import kafka.Kafka;

/** Main class of the broker's process: Kafka's own, after its former session is over. */
final class KafkaMain {
  private KafkaMain() {}

  /** Runs the broker whose properties are in the file that {@code args} name. */
  public static void main(String[] args) throws Exception {
    PreviousSession.end(Path.of(args[0]));
    Kafka.main(args);
  }
}
