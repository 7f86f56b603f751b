package dev.rondo.topology.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;

/** The reference page of the settings is generated from their definitions. */
class SettingsPageTest {
  private static final Path PAGE = Path.of("../../docs/reference/topology-settings.md");
  private static final String COMMAND =
      "./mvnw -q test -pl topology/streams -am -Dtest=SettingsPageTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dpage.write=true";

  @Test
  void shouldMatchTheDefinitions() throws IOException {
    if (Boolean.getBoolean("page.write")) {
      Files.writeString(PAGE, text());
    }
    assertThat(PAGE).as("after a change of settings: %s", COMMAND).hasContent(text());
  }

  private static String text() {
    var page =
        new StringBuilder(
            """
            # Settings of the topology

            Keys of its properties file, or [environment variables, which win over it](settings.md). Besides,
            `streams.*` goes to Kafka Streams without that prefix: `RONDO_TOPOLOGY_STREAMS_NUM_STANDBY_REPLICAS`
            is `num.standby.replicas`.

            Generated from the definitions in the code, by `%s`.

            | key | variable | type | default | meaning |
            |---|---|---|---|---|
            """
                .formatted(COMMAND));
    SettingDefinitions.ALL.configKeys().values().forEach(key -> page.append(line(key)));
    return page.toString();
  }

  private static String line(ConfigDef.ConfigKey key) {
    String standard =
        key.defaultValue == ConfigDef.NO_DEFAULT_VALUE
            ? "required"
            : ConfigDef.convertToString(key.defaultValue, key.type);
    return "| `%s` | `%s` | %s | %s | %s |\n"
        .formatted(
            key.name,
            EnvironmentSettings.variable(key.name),
            key.type.toString().toLowerCase(Locale.ROOT),
            standard,
            key.documentation);
  }
}
