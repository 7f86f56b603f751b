package dev.rondo.connection.kafka;

import dev.rondo.connection.settings.Nearest;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigException;

/** Keys that consumers, producers and admin clients share. Kafka itself ignores unknown keys. */
final class ClientKeys {
  /** Keys of config providers: {@code config.providers}, {@code config.providers.file.class}, … */
  static final String PROVIDERS = "config.providers";

  private static final String PROTOCOL = CommonClientConfigs.SECURITY_PROTOCOL_CONFIG;
  private static final Map<String, ConfigKey> KNOWN = known();

  private ClientKeys() {}

  private static Map<String, ConfigKey> known() {
    Map<String, ConfigKey> known = new TreeMap<>(AdminClientConfig.configDef().configKeys());
    known.keySet().retainAll(ConsumerConfig.configNames());
    known.keySet().retainAll(ProducerConfig.configNames());
    return known;
  }

  /**
   * @param origins file or variable of each key
   * @throws ConfigException if a key is unknown, or would have no effect
   */
  static void check(Map<String, String> values, Map<String, String> origins) {
    for (String key : values.keySet()) {
      if (!KNOWN.containsKey(key) && !key.startsWith(PROVIDERS)) {
        throw new ConfigException(unknown(key, origins.get(key)));
      }
      boolean isSecurity = key.startsWith("ssl.") || key.startsWith("sasl.");
      if (isSecurity && !values.containsKey(PROTOCOL)) {
        throw new ConfigException(
            "%s: %s has no effect without %s: set it to SSL or SASL_SSL"
                .formatted(origins.get(key), key, PROTOCOL));
      }
    }
  }

  private static String unknown(String key, String origin) {
    boolean isOfOneClient =
        ConsumerConfig.configNames().contains(key)
            || ProducerConfig.configNames().contains(key)
            || AdminClientConfig.configNames().contains(key);
    return isOfOneClient
        ? ("%s: '%s' is not a setting of all Kafka clients; only those that consumers, producers and"
                + " admin clients share belong here")
            .formatted(origin, key)
        : "%s: unknown key '%s': did you mean '%s'?"
            .formatted(origin, key, Nearest.to(key, KNOWN.keySet()));
  }

  /** Whether values of the key must not be shown. */
  static boolean isSecret(String key) {
    ConfigKey known = KNOWN.get(key);
    return known != null && known.type == ConfigDef.Type.PASSWORD;
  }
}
