package dev.rondo.local.parts;

import dev.rondo.connection.kafka.KafkaSettings;
import dev.rondo.connection.kafka.KafkaSettingsProvider;
import dev.rondo.connection.kafka.Replication;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;

/** Settings of the Connect worker that depend on the cluster: its clients, and its topics. */
final class ConnectSettings {
  private static final String PROVIDER = "rondo";

  private ConnectSettings() {}

  /**
   * Settings that keep other users of this machine from what the worker knows: changes by its REST
   * API need a token, and references to settings of Kafka's clients name no file. A worker whose
   * clock is set back ends, and is started again.
   *
   * @param token file of the token
   */
  static Map<String, String> guard(Path token) {
    return Map.of(
        "rest.extension.classes",
        "dev.rondo.connect.rest.RestGuard,dev.rondo.connect.clock.ClockGuard",
        "rondo.rest.token.file",
        token.toString(),
        "config.providers.%s.param.%s".formatted(PROVIDER, KafkaSettingsProvider.ALLOWED_FILE),
        "");
  }

  /**
   * Reads them from the cluster.
   *
   * @param group of the worker, which names the topics of its state, too
   * @param plugins folder with one folder of jars per plugin
   */
  static Map<String, String> of(KafkaSettings kafka, String group, Path plugins) {
    Map<String, String> settings = new HashMap<>();
    settings.put("bootstrap.servers", kafka.bootstrap());
    settings.put("group.id", group);
    settings.put("plugin.path", plugins.toAbsolutePath().toString());
    Replication replication = replication(kafka);
    for (String state : new String[] {"offset", "config", "status"}) {
      String storage = state + ".storage.";
      replication
          .factor()
          .ifPresent(factor -> settings.put(storage + "replication.factor", factor.toString()));
      replication.configs().forEach((key, value) -> settings.put(storage + key, value));
    }
    settings.put("config.providers", PROVIDER);
    settings.put("config.providers." + PROVIDER + ".class", KafkaSettingsProvider.class.getName());
    for (String client : new String[] {"", "consumer.", "producer.", "admin."}) {
      settings.putAll(references(client, kafka));
    }
    return settings;
  }

  /**
   * References to all settings of Kafka's clients but the brokers. The worker resolves them by its
   * environment, which names the file, so Connect's topics and files contain no secrets.
   *
   * @param prefix of the keys
   */
  static Map<String, String> references(String prefix, KafkaSettings kafka) {
    return kafka.properties().keySet().stream()
        .filter(key -> !key.equals("bootstrap.servers"))
        .collect(
            Collectors.toMap(key -> prefix + key, key -> "${%s::%s}".formatted(PROVIDER, key)));
  }

  static Replication replication(KafkaSettings kafka) {
    try (Admin admin = Admin.create(kafka.properties())) {
      return Replication.of(admin);
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "could not read the settings of Kafka at %s: %s"
              .formatted(kafka.bootstrap(), e.getMessage()),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
