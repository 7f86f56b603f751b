package dev.rondo.connect.postgres.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;

/** The page of keys is what the code says, and every key has what a user interface shows. */
class ConfigPageTest {
  private static final Path PAGE = Path.of("../../docs/reference/postgres-sink.md");

  @Test
  void shouldBeWhatTheCodeSays() throws IOException {
    if (Boolean.getBoolean("page.write")) {
      Files.createDirectories(PAGE.getParent());
      Files.writeString(PAGE, ConfigPage.text());
    }
    assertThat(PAGE)
        .as("after a change of keys: %s", ConfigPage.COMMAND)
        .hasContent(ConfigPage.text());
  }

  @Test
  void shouldDescribeEveryKeyForForms() {
    assertThat(PostgresSinkConfig.DEF.configKeys().values())
        .isNotEmpty()
        .allSatisfy(
            key -> {
              assertThat(key.documentation).as(key.name).endsWith(".");
              assertThat(key.displayName).as(key.name).isNotEqualTo(key.name).isNotEmpty();
              assertThat(key.width).as(key.name).isNotEqualTo(ConfigDef.Width.NONE);
              assertThat(PostgresSinkConfig.DEF.groups()).as(key.name).contains(key.group);
            });
    assertThat(
            PostgresSinkConfig.DEF.configKeys().values().stream()
                .map(key -> key.group + " " + key.orderInGroup))
        .doesNotHaveDuplicates();
  }
}
