package dev.rondo.embedded;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import kafka.Kafka;
import kafka.tools.StorageTool;

/**
 * Main class of the broker's process: formats an empty folder, ends the previous session, and runs
 * Kafka's main class.
 */
final class KafkaMain {
  /** System property: JAR=ARGUMENT of the JMX exporter, as in {@code -javaagent}; may be absent. */
  static final String EXPORTER = "rondo.jmx.exporter";

  private static final String AGENT = "io.prometheus.jmx.JavaAgent";

  private KafkaMain() {}

  /** Arguments: properties file, cluster id for a newly formatted folder. */
  public static void main(String[] args) throws Exception {
    String properties = args[0];
    String clusterId = args[1];
    exportMetrics(System.getProperty(EXPORTER));
    format(properties, clusterId);
    PreviousSession.end(Path.of(properties));
    Kafka.main(new String[] {properties});
  }

  private static void exportMetrics(String exporter) throws Exception {
    if (exporter == null) {
      return;
    }
    int end = exporter.indexOf('=');
    URL jar = Path.of(exporter.substring(0, end)).toUri().toURL();
    new URLClassLoader(new URL[] {jar})
        .loadClass(AGENT)
        .getMethod("premain", String.class, Instrumentation.class)
        .invoke(null, exporter.substring(end + 1), null);
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
