package dev.rondo.client;

import dev.rondo.connection.settings.Nearest;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigException;

/** Settings of a client, which begin with {@code rondo.}; all others are the producer's. */
final class ClientSettings extends AbstractConfig {
  private static final String OWN = "rondo.";
  private static final String TOPIC = "rondo.client.topic";
  private static final String PREFIX = "rondo.client.prefix";
  private static final String TAGS = "rondo.client.tags";
  private static final String STEP_MS = "rondo.client.step.ms";
  private static final String MAX_METRICS = "rondo.client.max.metrics";
  private static final String CLOSE_FAILS = "rondo.client.close.fails";

  private static final long SHORTEST_STEP_MS = 1_000;
  private static final long LONGEST_BLOCK_MS = 5_000;
  private static final long BUFFER_BYTES = 8L * 1024 * 1024;

  static final ConfigDef DEFINITIONS =
      new ConfigDef()
          .define(TOPIC, ConfigDef.Type.STRING, "points", Importance.HIGH, "Topic to publish to.")
          .define(PREFIX, ConfigDef.Type.STRING, "", Importance.HIGH, "Nodes before every name.")
          .define(
              TAGS, ConfigDef.Type.STRING, "", Importance.HIGH, "Tags of every series: k=v;k2=v2.")
          .define(
              STEP_MS,
              ConfigDef.Type.LONG,
              10_000,
              Range.atLeast(SHORTEST_STEP_MS),
              Importance.MEDIUM,
              "Time between two points of a series, ms.")
          .define(
              MAX_METRICS,
              ConfigDef.Type.INT,
              10_000,
              Range.atLeast(1),
              Importance.LOW,
              "Maximum number of published metrics.")
          .define(
              CLOSE_FAILS,
              ConfigDef.Type.BOOLEAN,
              false,
              Importance.LOW,
              "Whether close throws if points were not delivered.");

  private final Map<String, Object> producer = new HashMap<>();
  private final Names names;

  /**
   * @throws ConfigException if a setting is unknown, out of bounds or invalid
   */
  ClientSettings(Map<String, ?> settings) {
    super(DEFINITIONS, known(settings), false);
    names = readNames();
    putDefaults();
    settings.forEach(
        (key, value) -> {
          if (!key.startsWith(OWN)) {
            producer.put(key, value);
          }
        });
    checkCodec();
  }

  private static Map<String, ?> known(Map<String, ?> settings) {
    for (String key : settings.keySet()) {
      if (key.startsWith(OWN) && !DEFINITIONS.names().contains(key)) {
        throw new ConfigException(
            "unknown setting '%s'; did you mean '%s'?"
                .formatted(key, Nearest.to(key, DEFINITIONS.names())));
      }
    }
    return settings;
  }

  private Names readNames() {
    Names read;
    try {
      read = new Names(getString(PREFIX), Names.tags(getString(TAGS)));
    } catch (IllegalArgumentException e) {
      throw new ConfigException("%s or %s: %s".formatted(PREFIX, TAGS, e.getMessage()));
    }
    if (read.key().isEmpty()) {
      throw new ConfigException(
          "set %s or %s to a value that no other client has, such as host=web01: two clients must not publish"
                  .formatted(PREFIX, TAGS)
              + " the same series");
    }
    return read;
  }

  /**
   * Limits waiting to a quarter of a step, because the records of a step are spread over half of
   * the next.
   */
  private void putDefaults() {
    producer.put(
        ProducerConfig.COMPRESSION_TYPE_CONFIG,
        Codec.missingLibrary("lz4").isEmpty() ? "lz4" : "none");
    producer.put(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
    producer.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, Math.min(stepMs() / 4, LONGEST_BLOCK_MS));
  }

  private void checkCodec() {
    String name = String.valueOf(producer.get(ProducerConfig.COMPRESSION_TYPE_CONFIG));
    String missing = Codec.missingLibrary(name);
    if (!missing.isEmpty()) {
      throw new ConfigException(
          "%s '%s' needs %s, a dependency of kafka-clients, which cannot be loaded: add it to the class path, or set %s=none"
              .formatted(
                  ProducerConfig.COMPRESSION_TYPE_CONFIG,
                  name,
                  missing,
                  ProducerConfig.COMPRESSION_TYPE_CONFIG));
    }
  }

  String topic() {
    return getString(TOPIC);
  }

  Names names() {
    return names;
  }

  long stepMs() {
    return getLong(STEP_MS);
  }

  int maxMetrics() {
    return getInt(MAX_METRICS);
  }

  boolean closeFails() {
    return getBoolean(CLOSE_FAILS);
  }

  Map<String, Object> producer() {
    return producer;
  }
}
