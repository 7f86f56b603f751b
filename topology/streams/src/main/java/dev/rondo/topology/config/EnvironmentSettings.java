package dev.rondo.topology.config;

import dev.rondo.connection.settings.Nearest;
import dev.rondo.connection.settings.SettingVariables;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * Settings of the topology in the environment: {@code RONDO_TOPOLOGY_HTTP_PORT} is {@code
 * http.port}, and {@code RONDO_TOPOLOGY_CONFIG} names the properties file.
 */
public final class EnvironmentSettings {
  /** Variable with the name of the properties file. */
  public static final String FILE_VARIABLE = "RONDO_TOPOLOGY_CONFIG";

  /**
   * Variables that are no settings: the file, and the heap that {@code ./rondo up} gives a
   * topology.
   */
  private static final SettingVariables VARIABLES =
      new SettingVariables("RONDO_TOPOLOGY_", Set.of(FILE_VARIABLE, "RONDO_TOPOLOGY_HEAP"));

  private EnvironmentSettings() {}

  /** Returns the variable of a key: {@code RONDO_TOPOLOGY_HTTP_PORT} for {@code http.port}. */
  public static String variable(String key) {
    return VARIABLES.variable(key);
  }

  /** Returns the properties file that the environment names. */
  public static Optional<Path> file(Map<String, String> environment) {
    return Optional.ofNullable(environment.get(FILE_VARIABLE))
        .filter(name -> !name.isBlank())
        .map(Path::of);
  }

  /** Whether a variable is a setting of a topology, or names its file. */
  public static boolean isOfTopology(String variable, String value) {
    return variable.equals(FILE_VARIABLE) || VARIABLES.has(variable, value);
  }

  /**
   * Returns the settings by key.
   *
   * @throws ConfigException naming a variable that is no setting or has a wrong value
   */
  static Properties of(Map<String, String> environment) {
    Properties settings = new Properties();
    new TreeMap<>(environment)
        .forEach(
            (variable, value) -> {
              if (VARIABLES.has(variable, value)) {
                settings.setProperty(VARIABLES.key(variable), value);
                check(variable, value);
              }
            });
    return settings;
  }

  private static void check(String variable, String value) {
    String key = VARIABLES.key(variable);
    if (key.startsWith(TopologyConfig.STREAMS_PREFIX)) {
      return;
    }
    ConfigDef.ConfigKey known = SettingDefinitions.ALL.configKeys().get(key);
    if (known == null) {
      List<String> variables =
          SettingDefinitions.ALL.names().stream().map(EnvironmentSettings::variable).toList();
      throw new ConfigException(
          "%s is not a setting: did you mean %s?"
              .formatted(variable, Nearest.to(variable, variables)));
    }
    try {
      Object parsed = ConfigDef.parseType(key, value, known.type);
      if (known.validator != null) {
        known.validator.ensureValid(key, parsed);
      }
    } catch (ConfigException e) {
      throw new ConfigException(variable + ": " + e.getMessage());
    }
  }
}
