package dev.rondo.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.json.JsonConverter;
import org.junit.jupiter.api.Test;

/** README.md says what the code does. */
class ReadmeTest {
  private static final Path README = Path.of("README.md");

  @Test
  void shouldHoldTheConfigTable() throws IOException {
    assertThat(Files.readString(README)).contains(table());
  }

  @Test
  void shouldHoldAnExampleThatIsValid() throws IOException {
    String readme = Files.readString(README);
    int from = readme.indexOf("```json\n") + "```json\n".length();
    String json = readme.substring(from, readme.indexOf("```", from));
    try (var converter = new JsonConverter()) {
      converter.configure(Map.of("schemas.enable", "false"), false);
      var example =
          (Map<?, ?>) converter.toConnectData("any", json.getBytes(StandardCharsets.UTF_8)).value();
      Map<String, String> config =
          ((Map<?, ?>) example.get("config"))
              .entrySet().stream()
                  .collect(
                      Collectors.toMap(e -> e.getKey().toString(), e -> e.getValue().toString()));
      assertThat(PostgresSinkConfig.validate(config))
          .allSatisfy(value -> assertThat(value.errorMessages()).isEmpty());
      assertThat(config).containsEntry("connector.class", PostgresSinkConnector.class.getName());
    }
  }

  private static String table() {
    return PostgresSinkConfig.DEF.configKeys().values().stream()
        .map(ReadmeTest::line)
        .collect(
            Collectors.joining(
                "\n",
                "| key | type | default | importance | what |\n|---|---|---|---|---|\n",
                "\n"));
  }

  private static String line(ConfigDef.ConfigKey key) {
    String standard =
        key.defaultValue == ConfigDef.NO_DEFAULT_VALUE
            ? "required"
            : ConfigDef.convertToString(key.defaultValue, key.type);
    return "| `%s` | %s | %s | %s | %s |"
        .formatted(
            key.name,
            key.type.toString().toLowerCase(Locale.ROOT),
            key.type == ConfigDef.Type.PASSWORD ? "" : standard,
            key.importance.toString().toLowerCase(Locale.ROOT),
            key.documentation);
  }
}
