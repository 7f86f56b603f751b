package dev.rondo.connection.kafka;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.ConfigData;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.provider.ConfigProvider;
import org.apache.kafka.common.config.types.Password;

/**
 * Config provider for Kafka Connect: {@code ${NAME:FILE:KEY}} is the value of a key in {@link
 * KafkaSettings}, so that secrets are not copied into the settings of a worker or a connector. An
 * empty {@code FILE} means the file of the environment.
 */
public final class KafkaSettingsProvider implements ConfigProvider {
  /** Key of the only {@code FILE} that references may name; empty: none; absent: any. */
  public static final String ALLOWED_FILE = "allowed.file";

  private Object allowed;

  /**
   * @throws ConfigException if references may not name {@code path}
   */
  @Override
  public ConfigData get(String path) {
    Path file = path == null || path.isEmpty() ? null : Path.of(path);
    if (file != null && allowed != null && !path.equals(allowed)) {
      throw new ConfigException(
          "%s is not the file that references may name, '%s' (%s)"
              .formatted(path, allowed, ALLOWED_FILE));
    }
    Map<String, String> values = new HashMap<>();
    KafkaSettings.read(null, file)
        .properties()
        .forEach((key, value) -> values.put(key, text(value)));
    return new ConfigData(values);
  }

  @Override
  public ConfigData get(String path, Set<String> keys) {
    Map<String, String> values = new HashMap<>(get(path).data());
    values.keySet().retainAll(keys);
    return new ConfigData(values);
  }

  private static String text(Object value) {
    return value instanceof Password secret ? secret.value() : value.toString();
  }

  @Override
  public void configure(Map<String, ?> configs) {
    allowed = configs.get(ALLOWED_FILE);
  }

  @Override
  public void close() {
    // no resources
  }
}
