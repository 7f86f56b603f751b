package dev.rondo.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import kafka.Kafka;
import kafka.tools.StorageTool;

/**
 * Main class of the broker's process: formats an empty folder, ends the previous session, then runs
 * Kafka's main class.
 */
final class KafkaMain {
  private KafkaMain() {}

  /** Runs the broker with a properties file; a folder that it formats gets the cluster id. */
  public static void main(String[] args) throws Exception {
    String properties = args[0];
    String clusterId = args[1];
    format(properties, clusterId);
    PreviousSession.end(Path.of(properties));
    Kafka.main(new String[] {properties});
  }

  private static void format(String properties, String clusterId) throws IOException {
    var settings = new Properties();
    try (var in = Files.newBufferedReader(Path.of(properties))) {
      settings.load(in);
    }
    if (Files.exists(Path.of(settings.getProperty("log.dirs"), "meta.properties"))) {
      return;
    }
    String[] arguments = {"format", "--ignore-formatted", "-t", clusterId, "-c", properties};
    int code = StorageTool.execute(arguments, System.out);
    if (code != 0) {
      System.exit(code); // it has printed the reason
    }
  }
}
