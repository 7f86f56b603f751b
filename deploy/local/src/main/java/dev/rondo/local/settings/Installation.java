package dev.rondo.local.settings;

import dev.rondo.embedded.JmxExporter;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The clone of this command, and its build results.
 *
 * @param root its top folder, from {@code -Drondo.root}
 */
public record Installation(Path root) {
  public static Installation current() {
    String root = System.getProperty("rondo.root");
    if (root == null) {
      throw new UserError(
          "the system property rondo.root is not set: start Rondo with the script ./rondo");
    }
    return new Installation(Path.of(root).toAbsolutePath());
  }

  public Path defaultDir() {
    return root.resolve(".rondo");
  }

  /** Class path of a module with its dependencies. */
  public String classPath(String module) {
    Path target = root.resolve(module).resolve("target");
    return target.resolve("*") + File.pathSeparator + target.resolve("lib").resolve("*");
  }

  /** Connect's {@code plugin.path}. */
  public Path plugins() {
    return root.resolve("connectors/postgres-sink/target/plugin");
  }

  /** The Prometheus JMX exporter for Connect, with the sink's rules. */
  public JmxExporter jmxExporter(int port) {
    Path sink = root.resolve("connectors/postgres-sink");
    return new JmxExporter(
        sink.resolve("target/jmx-exporter/jmx_prometheus_javaagent.jar"),
        sink.resolve("prometheus/jmx-exporter.yml"),
        port);
  }

  /** The Prometheus JMX exporter for the broker. */
  public JmxExporter brokerExporter(int port) {
    return new JmxExporter(
        jmxExporter(port).jar(), prometheus().resolve("broker-jmx-exporter.yml"), port);
  }

  public Path prometheus() {
    return root.resolve("deploy/prometheus");
  }

  public Path queryApi() {
    return root.resolve("query-api");
  }

  public Path python() {
    return queryApi().resolve(".venv/bin/python");
  }

  /**
   * Checks that everything is built.
   *
   * @throws UserError with the first missing path
   */
  public void requireBuilt() {
    var needed =
        List.of(
            root.resolve("topology/streams/target/lib"),
            root.resolve("connectors/host-collector/target/lib"),
            plugins(),
            jmxExporter(0).jar(),
            python());
    for (Path path : needed) {
      if (!Files.exists(path)) {
        throw new UserError(
            path + " is missing: ./rondo up builds it, unless RONDO_NO_BUILD is set");
      }
    }
  }
}
