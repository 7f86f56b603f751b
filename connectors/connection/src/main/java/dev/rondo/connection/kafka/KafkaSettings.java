package dev.rondo.connection.kafka;

import dev.rondo.connection.settings.SettingVariables;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;

/**
 * Settings shared by all Kafka clients of a process: brokers, TLS, SASL. Each setting comes from
 * the first of these sources that has it:
 *
 * <ol>
 *   <li>an option or a setting of Rondo: the brokers, and the name of the file;
 *   <li>the environment: {@code RONDO_KAFKA_SASL_MECHANISM} is {@code sasl.mechanism}, and {@code
 *       RONDO_KAFKA_CONFIG} the name of the file;
 *   <li>the file: properties with Kafka's own keys.
 * </ol>
 */
public final class KafkaSettings {
  /** Environment variable with the name of the file. */
  public static final String FILE_VARIABLE = "RONDO_KAFKA_CONFIG";

  private static final String BOOTSTRAP = CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG;

  /** Not settings: the file, and the heap of a broker. */
  private static final SettingVariables VARIABLES =
      new SettingVariables("RONDO_KAFKA_", Set.of(FILE_VARIABLE, "RONDO_KAFKA_HEAP"));

  private final Optional<Path> file;
  private final Map<String, Object> properties;

  private KafkaSettings(Optional<Path> file, Map<String, Object> properties) {
    this.file = file;
    this.properties = properties;
  }

  /**
   * Reads the settings, and resolves references to config providers.
   *
   * @param bootstrap brokers, {@code host:port[,host:port]}; null or empty = those of the
   *     environment or the file
   * @param file properties file; null = that of the environment, if any
   * @throws ConfigException if a key or a value is invalid; the message names it and its file
   */
  public static KafkaSettings read(String bootstrap, Path file) {
    return read(bootstrap, file, System.getenv());
  }

  /**
   * Returns settings of a cluster without TLS and SASL, regardless of files and the environment.
   */
  public static KafkaSettings plaintext(String bootstrap) {
    return new KafkaSettings(Optional.empty(), Map.of(BOOTSTRAP, bootstrap));
  }

  static KafkaSettings read(String bootstrap, Path file, Map<String, String> environment) {
    Optional<Path> used =
        Optional.ofNullable(file)
            .or(() -> fileOf(environment))
            .map(path -> path.toAbsolutePath().normalize());
    Map<String, String> values = new TreeMap<>();
    Map<String, String> origins = new HashMap<>(); // file or variable, for the error texts
    if (used.isPresent()) {
      values.putAll(load(used.get()));
      values.keySet().forEach(key -> origins.put(key, used.get().toString()));
    }
    environment.forEach(
        (variable, value) -> {
          if (VARIABLES.has(variable, value)) {
            values.put(VARIABLES.key(variable), value);
            origins.put(VARIABLES.key(variable), variable);
          }
        });
    ClientKeys.check(values, origins);
    if (bootstrap != null && !bootstrap.isBlank()) {
      values.put(BOOTSTRAP, bootstrap);
    }
    Map<String, Object> properties = ClientValues.of(values, origins);
    OauthEndpoints.allow(properties);
    return new KafkaSettings(used, Map.copyOf(properties));
  }

  private static Optional<Path> fileOf(Map<String, String> environment) {
    return Optional.ofNullable(environment.get(FILE_VARIABLE))
        .filter(name -> !name.isBlank())
        .map(Path::of);
  }

  private static Map<String, String> load(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (IOException e) {
      throw new ConfigException(
          "there is no readable file %s (--kafka-config, kafka.config or %s)"
              .formatted(file, FILE_VARIABLE));
    } catch (IllegalArgumentException e) {
      throw new ConfigException("%s: %s".formatted(file, e.getMessage()));
    }
    Map<String, String> values = new HashMap<>();
    properties.forEach((key, value) -> values.put((String) key, ((String) value).strip()));
    return values;
  }

  /** Whether an environment variable is a setting of clients, or names the file. */
  public static boolean isOfClients(String variable, String value) {
    return variable.equals(FILE_VARIABLE) || VARIABLES.has(variable, value);
  }

  /** The properties file; empty if there is none. */
  public Optional<Path> file() {
    return file;
  }

  /** The brokers, {@code host:port[,host:port]}; empty if none are configured. */
  public String bootstrap() {
    return properties.getOrDefault(BOOTSTRAP, "").toString();
  }

  /**
   * Properties for any client, or Kafka Streams. Secrets are {@link Password}s, which print as
   * {@code [hidden]}.
   */
  public Map<String, Object> properties() {
    return properties;
  }

  /** {@code security.protocol}: PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL. */
  public String protocol() {
    return properties
        .getOrDefault(
            CommonClientConfigs.SECURITY_PROTOCOL_CONFIG,
            CommonClientConfigs.DEFAULT_SECURITY_PROTOCOL)
        .toString()
        .toUpperCase(Locale.ROOT); // Kafka accepts any case
  }

  /** Returns the properties merged with a client's own, which win. */
  public Map<String, Object> with(Map<String, ?> own) {
    Map<String, Object> all = new HashMap<>(properties);
    all.putAll(own);
    return all;
  }
}
