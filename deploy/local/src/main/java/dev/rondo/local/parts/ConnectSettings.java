package dev.rondo.local.parts;

import dev.rondo.schemas.Replication;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/** Settings of the Connect worker that depend on the cluster: replication of its topics. */
final class ConnectSettings {
  private ConnectSettings() {}

  /**
   * Reads them from the cluster.
   *
   * @param group of the worker, which names the topics of its state, too
   * @param plugins folder with one folder of jars per plugin
   */
  static Map<String, String> of(String bootstrap, String group, Path plugins) {
    Map<String, String> settings = new HashMap<>();
    settings.put("bootstrap.servers", bootstrap);
    settings.put("group.id", group);
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
          "could not read the settings of Kafka at %s: %s".formatted(bootstrap, e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
