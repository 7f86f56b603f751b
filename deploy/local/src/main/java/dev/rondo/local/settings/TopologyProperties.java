package dev.rondo.local.settings;

import dev.rondo.schemas.TopicNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** The properties of the topology: the user's, and those that a start determines. */
public final class TopologyProperties {
  /** Keys that a start determines, and their options. */
  private static final Map<String, String> DETERMINED =
      Map.of(
          "bootstrap.servers", "--kafka, --kafka-port",
          "kafka.config", "--kafka-config",
          "state.dir", "--dir",
          "http.host", "nothing: it is 127.0.0.1",
          "http.port", "--topology-port",
          "sources.file", "--sources",
          "policies.file", "--policies");

  /** Prefix of the variables of a topology that is started separately. */
  private static final String VARIABLES = "RONDO_TOPOLOGY_";

  private TopologyProperties() {}

  /**
   * Whether a variable would be a setting of a topology. The topology of {@code ./rondo up} does
   * not get it: its file has all settings, and commands with {@code --dir} read that.
   */
  public static boolean isVariable(String name) {
    return name.startsWith(VARIABLES);
  }

  /** Returns the variables that {@code ./rondo up} ignores, sorted. */
  public static List<String> ignored(Map<String, String> environment) {
    return environment.keySet().stream()
        .filter(name -> isVariable(name) && !name.equals(Heaps.TOPOLOGY))
        .sorted()
        .toList();
  }

  /**
   * Reads the user's settings.
   *
   * @param file null: none
   * @throws UserError if a start determines one of the settings
   */
  public static Map<String, String> read(Path file) {
    var settings = new TreeMap<String, String>();
    if (file == null) {
      return settings;
    }
    var properties = new Properties();
    try (var in = Files.newBufferedReader(file)) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + file, e);
    } catch (IllegalArgumentException e) {
      throw new UserError("%s: %s".formatted(file, e.getMessage()));
    }
    properties.forEach((key, value) -> settings.put((String) key, (String) value));
    settings.forEach((key, value) -> requireFree(file, key));
    return settings;
  }

  private static void requireFree(Path file, String key) {
    String option = DETERMINED.get(key);
    if (option != null) {
      throw new UserError(
          "%s: ./rondo up sets %s itself; remove it (it is determined by %s)"
              .formatted(file, key, option));
    }
  }

  /**
   * Returns all properties of a topology with this state folder.
   *
   * @param given the user's settings
   * @throws UserError if they name other topics than at the start, which other parts use
   */
  public static Properties of(Plan plan, Map<String, String> given, Path stateDir) {
    if (!TopicNames.of(given).equals(plan.names())) {
      throw new UserError(
          "topic.* in the settings of the topology (--topology) has changed, and all parts need the"
              + " new names: run ./rondo down, then up");
    }
    var properties = new Properties();
    properties.setProperty("sources.create", Boolean.toString(plan.startsKafka()));
    properties.putAll(given);
    properties.setProperty("bootstrap.servers", plan.kafka().bootstrap());
    plan.kafka().file().ifPresent(file -> properties.setProperty("kafka.config", file.toString()));
    properties.setProperty("state.dir", stateDir.toString());
    properties.setProperty("http.host", "127.0.0.1");
    properties.setProperty("http.port", Integer.toString(plan.port(Plan.TOPOLOGY)));
    if (plan.sources() != null) {
      properties.setProperty("sources.file", plan.sources().toString());
    }
    if (plan.policies() != null) {
      properties.setProperty("policies.file", plan.policies().toString());
      properties.setProperty("policies.apply.at.start", "true");
    }
    return properties;
  }
}
