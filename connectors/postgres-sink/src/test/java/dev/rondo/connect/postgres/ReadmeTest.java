package dev.rondo.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.connect.postgres.changes.ChangeReader;
import dev.rondo.connect.postgres.changes.RowChange;
import dev.rondo.connect.postgres.config.ConnectKeys;
import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import dev.rondo.connect.postgres.harness.Records;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.json.JsonConverter;
import org.junit.jupiter.api.Test;

/** The examples in README.md work. */
class ReadmeTest {
  private static final Path README = Path.of("README.md");

  @Test
  void shouldHoldAnExampleThatIsValid() throws IOException {
    var example = (Map<?, ?>) json(0).value();
    Map<String, String> config =
        ((Map<?, ?>) example.get("config"))
            .entrySet().stream()
                .collect(
                    Collectors.toMap(e -> e.getKey().toString(), e -> e.getValue().toString()));
    assertThat(PostgresSinkConfig.validate(config))
        .allSatisfy(value -> assertThat(value.errorMessages()).isEmpty());
    assertThat(ConnectKeys.warnings(config)).isEmpty();
    assertThat(config).containsEntry("connector.class", PostgresSinkConnector.class.getName());
  }

  @Test
  void shouldHoldARowThatIsRead() throws IOException {
    var change = (RowChange) ChangeReader.read(Records.of("any", SchemaAndValue.NULL, json(1)));
    assertThat(change.row().dp()).containsExactly(0.3, Double.NaN, 7.5);
  }

  /** Its JSON examples, from 0, without schemas. */
  private static SchemaAndValue json(int example) throws IOException {
    String block = Files.readString(README).split("```json\n", -1)[example + 1];
    String json = block.substring(0, block.indexOf("```"));
    try (var converter = new JsonConverter()) {
      converter.configure(Map.of("schemas.enable", "false"), false);
      return converter.toConnectData("any", json.getBytes(StandardCharsets.UTF_8));
    }
  }
}
