package dev.rondo.connect.postgres.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.ConfigValue;

/**
 * Keys of Connect itself that make this sink fail, lose records or show wrong ones. Only what a
 * connector's own config says can be seen here: a worker may have other defaults.
 */
public final class ConnectKeys {
  public static final String ISOLATION_LEVEL = "consumer.override.isolation.level";

  /** The converter by its name: this package does not depend on the one above it. */
  static final String RONDO_CONVERTER = "dev.rondo.connect.postgres.RondoConverter";

  private static final String READ_COMMITTED = "read_committed";
  private static final Set<String> ISOLATION_LEVELS = Set.of(READ_COMMITTED, "read_uncommitted");

  /** Converters of Connect whose values have no fields, in whatever package. */
  private static final Set<String> PLAIN_CONVERTERS =
      Set.of(
          "BooleanConverter",
          "ByteArrayConverter",
          "DoubleConverter",
          "FloatConverter",
          "IntegerConverter",
          "LongConverter",
          "ShortConverter",
          "StringConverter");

  private ConnectKeys() {}

  /** The wrong ones, each with what is wrong with it. */
  static List<ConfigValue> errors(Map<String, String> props) {
    var errors = new ArrayList<ConfigValue>();
    String converter = value(props, "value.converter");
    // A transformation may make structs of what the converter gives.
    if (isPlain(converter) && value(props, "transforms").isEmpty()) {
      errors.add(
          error(
              "value.converter",
              converter,
              "gives no fields: take %s, or JsonConverter for rows written as JSON"
                  .formatted(RONDO_CONVERTER)));
    }
    String isolation = value(props, ISOLATION_LEVEL);
    if (!isolation.isEmpty() && !ISOLATION_LEVELS.contains(isolation)) {
      errors.add(error(ISOLATION_LEVEL, isolation, "is not " + READ_COMMITTED));
    }
    return errors;
  }

  /** What may be meant so, but seldom is: sentences for the log. */
  public static List<String> warnings(Map<String, String> props) {
    var warnings = new ArrayList<String>();
    if (!value(props, ISOLATION_LEVEL).equals(READ_COMMITTED)) {
      warnings.add(
          "%s is not %s: unless the worker's consumer.isolation.level is, rows of aborted transactions are stored, too"
              .formatted(ISOLATION_LEVEL, READ_COMMITTED));
    }
    if (value(props, "errors.tolerance").equals("all")
        && value(props, "errors.deadletterqueue.topic.name").isEmpty()
        && !value(props, "errors.log.enable").equals("true")) {
      warnings.add(
          "errors.tolerance is all, but neither errors.deadletterqueue.topic.name nor errors.log.enable is set: "
              + "records that the converter cannot read are dropped without a trace");
    }
    String keys = value(props, "key.converter");
    if (isPlain(keys) && !keys.endsWith("StringConverter")) {
      warnings.add(
          "key.converter %s gives no text: series cannot be retired, which is told by their key"
              .formatted(keys));
    }
    return warnings;
  }

  private static boolean isPlain(String converter) {
    return PLAIN_CONVERTERS.contains(converter.substring(converter.lastIndexOf('.') + 1));
  }

  /** Without the value: Connect would take it for one of the key's type, such as a class. */
  private static ConfigValue error(String key, String value, String wrong) {
    return new ConfigValue(
        key, null, List.of(), List.of("%s is '%s', which %s".formatted(key, value, wrong)));
  }

  /** Empty where it is not set. */
  private static String value(Map<String, String> props, String key) {
    String value = props.get(key);
    return value == null ? "" : value.trim();
  }
}
