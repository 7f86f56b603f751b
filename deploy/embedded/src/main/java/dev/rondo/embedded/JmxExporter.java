package dev.rondo.embedded;

import java.nio.file.Path;
import java.util.List;

/**
 * The Prometheus JMX exporter as a Java agent: exports MBeans at {@link #url}.
 *
 * @param jar the agent
 * @param rules YAML with the MBeans and their names
 * @param port on 127.0.0.1; the JVM does not start if it is taken
 */
public record JmxExporter(Path jar, Path rules, int port) {

  /** Options for the JVM. */
  public List<String> options() {
    return List.of("-javaagent:" + argument());
  }

  /**
   * Options for a broker, which starts the exporter itself, because a JVM with an agent writes no
   * class archive.
   */
  public List<String> optionsOfBroker() {
    return List.of("-D%s=%s".formatted(KafkaMain.EXPORTER, argument()));
  }

  private String argument() {
    return "%s=127.0.0.1:%d:%s".formatted(jar.toAbsolutePath(), port, rules.toAbsolutePath());
  }

  /** URL for Prometheus. */
  public String url() {
    return "http://127.0.0.1:%d/metrics".formatted(port);
  }
}
