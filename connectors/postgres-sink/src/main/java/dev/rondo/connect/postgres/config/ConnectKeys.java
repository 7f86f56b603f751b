package dev.rondo.connect.postgres.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.ConfigValue;

/**
 * Checks Connect's own keys that can make this sink fail, lose records or store wrong ones. Only
 * the connector's config is visible here: the worker may have other defaults.
 */
public final class ConnectKeys {
  public static final String ISOLATION_LEVEL = "consumer.override.isolation.level";

  /** The converter by its name: this package does not depend on the one above it. */
  static final String RONDO_CONVERTER = "dev.rondo.connect.postgres.RondoConverter";

  private static final String READ_COMMITTED = "read_committed";
  private static final Set<String> ISOLATION_LEVELS = Set.of(READ_COMMITTED, "read_uncommitted");

  /** Connect's converters whose values have no fields, in any package. */
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

  /** Returns the wrong keys, each with its error. */
  static List<ConfigValue> errors(Map<String, String> props) {
    var errors = new ArrayList<ConfigValue>();
    String converter = value(props, "value.converter");
    // A transformation may turn the converter's values into structs.
    if (isPlain(converter) && value(props, "transforms").isEmpty()) {
      errors.add(
          error(
              "value.converter",
              converter,
              "gives no fields: use %s, or JsonConverter for rows written as JSON"
                  .formatted(RONDO_CONVERTER)));
    }
    String isolation = value(props, ISOLATION_LEVEL);
    if (!isolation.isEmpty() && !ISOLATION_LEVELS.contains(isolation)) {
      errors.add(error(ISOLATION_LEVEL, isolation, "is not " + READ_COMMITTED));
    }
    return errors;
  }

  /** Returns log messages about settings that are valid but rarely intended. */
  public static List<String> warnings(Map<String, String> props) {
    var warnings = new ArrayList<String>();
    if (!value(props, ISOLATION_LEVEL).equals(READ_COMMITTED)) {
      warnings.add(
          "%s is not %s: rows of aborted transactions are stored too, unless the worker's consumer.isolation.level is"
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
          "key.converter %s gives no text keys: series cannot be retired, since their key names them"
              .formatted(keys));
    }
    return warnings;
  }

  private static boolean isPlain(String converter) {
    return PLAIN_CONVERTERS.contains(converter.substring(converter.lastIndexOf('.') + 1));
  }

  /** Omits the value: Connect would convert it to the key's type, such as a class. */
  private static ConfigValue error(String key, String value, String wrong) {
    return new ConfigValue(
        key, null, List.of(), List.of("%s is '%s', which %s".formatted(key, value, wrong)));
  }

  /** Returns an empty text where the key is not set. */
  private static String value(Map<String, String> props, String key) {
    String value = props.get(key);
    return value == null ? "" : value.trim();
  }
}
