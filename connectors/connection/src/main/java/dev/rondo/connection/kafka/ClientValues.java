package dev.rondo.connection.kafka;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigTransformer;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.types.Password;

/** Resolves references to config providers in values of settings, and checks the values. */
final class ClientValues {
  private static final List<String> STORES =
      List.of(SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG, SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG);

  private ClientValues() {}

  /**
   * Returns the settings for a client.
   *
   * @param origins file or variable of each key
   * @throws ConfigException if a value is invalid, or a reference cannot be resolved
   */
  static Map<String, Object> of(Map<String, String> values, Map<String, String> origins) {
    Map<String, Object> resolved = new HashMap<>();
    parse(values, origins)
        .forEach(
            (key, value) -> {
              if (!key.startsWith(ClientKeys.PROVIDERS)) {
                String text = value.toString();
                requireResolved(key, text, values.get(key), origins.get(key));
                resolved.put(key, ClientKeys.isSecret(key) ? new Password(text) : text);
              }
            });
    for (String store : STORES) {
      if (resolved.containsKey(store)) {
        requireReadable(store, resolved.get(store).toString(), origins.get(store));
      }
    }
    return resolved;
  }

  /** Lets Kafka parse the values and resolve references. */
  private static Map<String, Object> parse(
      Map<String, String> values, Map<String, String> origins) {
    try {
      return new AdminClientConfig(values).originals();
    } catch (KafkaException e) {
      throw new ConfigException(
          "%s: %s".formatted(String.join(", ", new TreeSet<>(origins.values())), e.getMessage()));
    }
  }

  /** Kafka leaves a reference unchanged if its provider is unknown or has no such value. */
  private static void requireResolved(String key, String now, String before, String origin) {
    Matcher reference = ConfigTransformer.DEFAULT_PATTERN.matcher(before);
    if (now.equals(before) && reference.find()) {
      throw new ConfigException(
          "%s: %s refers to %s, which does not exist, or config.providers does not name '%s'"
              .formatted(origin, key, reference.group(), reference.group(1)));
    }
  }

  /** Relative names are ambiguous, because the parts of Rondo run in different folders. */
  private static void requireReadable(String key, String name, String origin) {
    Path store = Path.of(name);
    if (!store.isAbsolute() || !Files.isReadable(store)) {
      throw new ConfigException(
          "%s: %s is '%s', which is not %s"
              .formatted(
                  origin, key, name, store.isAbsolute() ? "a readable file" : "an absolute path"));
    }
  }
}
