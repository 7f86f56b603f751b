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

/** Settings of the Connect worker that depend on the cluster: clients and topics. */
final class ConnectSettings {
  private static final String PROVIDER = "rondo";

  private ConnectSettings() {}

  /**
   * Settings that protect the worker's secrets from other users of this machine: changes by its
   * REST API need a token, and references to Kafka client settings cannot name a file. A worker
   * whose clock is set back ends, and is restarted.
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
   * Derives settings from the cluster.
   *
   * @param group of the worker, also the prefix of its state topics
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
   * Returns references to all Kafka client settings except the brokers. The worker resolves them
   * through its environment, which names the file, so that Connect's topics and files contain no
   * secrets.
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
