package dev.rondo.local.parts;

import dev.rondo.schemas.Replication;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/** The settings of the Connect worker that depend on the cluster: how often its topics are kept. */
final class ConnectSettings {
  private ConnectSettings() {}

  /**
   * Asks the cluster.
   *
   * @param plugins folder of one folder of jars a plugin
   */
  static Map<String, String> of(String bootstrap, Path plugins) {
    Map<String, String> settings = new HashMap<>();
    settings.put("bootstrap.servers", bootstrap);
    settings.put("plugin.path", plugins.toAbsolutePath().toString());
    Replication replication = replication(bootstrap);
    for (String state : new String[] {"offset", "config", "status"}) {
      String storage = state + ".storage.";
      replication
          .factor()
          .ifPresent(factor -> settings.put(storage + "replication.factor", factor.toString()));
      replication.configs().forEach((key, value) -> settings.put(storage + key, value));
    }
    return settings;
  }

  static Replication replication(String bootstrap) {
    try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", bootstrap))) {
      return Replication.of(admin);
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "Kafka at %s does not tell its settings: %s".formatted(bootstrap, e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
