package dev.rondo.embedded;

import java.nio.file.Path;
import java.util.List;

/**
 * Prometheus' JMX exporter as an agent of a JVM: shows its MBeans at {@link #url}.
 *
 * @param jar the agent
 * @param rules YAML: which MBeans, under which names
 * @param port of 127.0.0.1; a JVM that finds it taken does not start
 */
public record JmxExporter(Path jar, Path rules, int port) {

  /** Options of the JVM that it belongs to. */
  public List<String> options() {
    return List.of(
        "-javaagent:%s=127.0.0.1:%d:%s"
            .formatted(jar.toAbsolutePath(), port, rules.toAbsolutePath()));
  }

  /** Where Prometheus reads. */
  public String url() {
    return "http://127.0.0.1:%d/metrics".formatted(port);
  }
}
