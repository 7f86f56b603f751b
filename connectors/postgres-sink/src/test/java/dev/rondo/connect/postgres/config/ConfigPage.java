package dev.rondo.connect.postgres.config;

import dev.rondo.connect.postgres.PostgresSinkConnector;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.config.ConfigDef;

/** Generates docs/reference/postgres-sink.md, the page of the sink's keys. */
final class ConfigPage {
  static final String COMMAND =
      "./mvnw -q test -pl connectors/postgres-sink -am -Dtest=ConfigPageTest "
          + "-Dsurefire.failIfNoSpecifiedTests=false -Dpage.write=true";

  private static final String HEAD =
      """
      # Config of the PostgreSQL sink

      The keys of `%s`, besides [Connect's own](https://kafka.apache.org/documentation/#sinkconnectconfigs);
      of those, [the module's page](../../connectors/postgres-sink/README.md#run-it) says which matter.

      Generated from the definitions in the code, by `%s`.
      """
          .formatted(PostgresSinkConnector.class.getName(), COMMAND);

  private ConfigPage() {}

  static String text() {
    var page = new StringBuilder(HEAD);
    for (String group : PostgresSinkConfig.DEF.groups()) {
      page.append("\n## ").append(group).append("\n\n");
      page.append(
          "| key | type | default | valid | importance | what |\n|---|---|---|---|---|---|\n");
      keys(group).forEach(key -> page.append(line(key)));
    }
    return page.toString();
  }

  private static List<ConfigDef.ConfigKey> keys(String group) {
    var keys = new ArrayList<>(PostgresSinkConfig.DEF.configKeys().values());
    keys.removeIf(key -> !group.equals(key.group));
    keys.sort((a, b) -> Integer.compare(a.orderInGroup, b.orderInGroup));
    return keys;
  }

  private static String line(ConfigDef.ConfigKey key) {
    return "| `%s` | %s | %s | %s | %s | %s |\n"
        .formatted(
            key.name,
            key.type.toString().toLowerCase(Locale.ROOT),
            standard(key),
            valid(key),
            key.importance.toString().toLowerCase(Locale.ROOT),
            key.documentation);
  }

  private static String standard(ConfigDef.ConfigKey key) {
    if (key.defaultValue == ConfigDef.NO_DEFAULT_VALUE) {
      return "required";
    }
    return key.type == ConfigDef.Type.PASSWORD
        ? ""
        : ConfigDef.convertToString(key.defaultValue, key.type);
  }

  /** Writes Connect's {@code [1000,...,600000]} in this project's form, {@code 1000..600000}. */
  private static String valid(ConfigDef.ConfigKey key) {
    return key.validator == null
        ? ""
        : key.validator.toString().replaceAll("^\\[(\\d*),?\\.\\.\\.,?(\\d*)]$", "$1..$2");
  }
}
