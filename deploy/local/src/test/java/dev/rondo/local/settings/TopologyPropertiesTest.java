package dev.rondo.local.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.connection.kafka.KafkaSettings;
import dev.rondo.schemas.TopicNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyPropertiesTest {
  @TempDir Path dir;

  private Map<String, String> read(String text) throws IOException {
    return TopologyProperties.read(Files.writeString(dir.resolve("t.properties"), text));
  }

  private Properties of(Map<String, String> given) {
    return of(KafkaSettings.plaintext("127.0.0.1:9092"), given);
  }

  private Properties of(KafkaSettings kafka, Map<String, String> given) {
    var plan =
        new Plan(
            kafka,
            true,
            null,
            true,
            PostgresUsers.OF_STARTED,
            null,
            Map.of(Plan.TOPOLOGY, 8889),
            null,
            Path.of("/p.yaml"),
            TopicNames.of(Map.of()),
            false,
            false,
            List.of());
    return TopologyProperties.of(plan, given, dir);
  }

  @Test
  void shouldReadNothingWithoutAFile() {
    assertThat(TopologyProperties.read(null)).isEmpty();
  }

  @Test
  void shouldNameIgnoredVariables() {
    assertThat(
            TopologyProperties.ignored(
                Map.of(
                    "RONDO_TOPOLOGY_WIDTH", "3",
                    "RONDO_TOPOLOGY_CONFIG", "f",
                    "RONDO_TOPOLOGY_HEAP", "1g",
                    "RONDO_PREFIX", "a")))
        .containsExactly("RONDO_TOPOLOGY_CONFIG", "RONDO_TOPOLOGY_WIDTH");
  }

  @Test
  void shouldAddGivenSettingsAndReplaceDefaultsByThem() throws IOException {
    Properties all =
        of(read("commit.interval.ms=500\nstreams.main.consumer.fetch.max.wait.ms=10\n"));

    assertThat(all)
        .containsEntry("commit.interval.ms", "500")
        .containsEntry("streams.main.consumer.fetch.max.wait.ms", "10")
        .containsEntry("sources.create", "true")
        .containsEntry("http.port", "8889")
        .containsEntry("policies.file", "/p.yaml")
        .doesNotContainKey("sources.file");
  }

  @Test
  void shouldNameTheFileWithKafkaClientSettings() throws IOException {
    Path file = Files.writeString(dir.resolve("kafka.properties"), "client.id=a");

    assertThat(of(KafkaSettings.read("broker:1", file), Map.of()))
        .containsEntry("bootstrap.servers", "broker:1")
        .containsEntry("kafka.config", file.toString())
        .doesNotContainKey("client.id");
    assertThat(of(Map.of())).doesNotContainKey("kafka.config");
  }

  @Test
  void shouldRejectOtherTopicsThanAtTheStart() {
    assertThatThrownBy(() -> of(Map.of("topic.series", "other")))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("topic.*", "./rondo down");
  }

  @ParameterizedTest
  @CsvSource({
    "http.port, --topology-port",
    "policies.file, --policies",
    "kafka.config, --kafka-config",
    "bootstrap.servers, --kafka"
  })
  void shouldRejectSettingsThatTheStartDetermines(String key, String option) {
    assertThatThrownBy(() -> read(key + "=1"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("t.properties", key, option);
  }

  @Test
  void shouldNameAFileThatIsNotProperties() {
    assertThatThrownBy(() -> read("a=\\u00zz"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("t.properties");
  }
}
