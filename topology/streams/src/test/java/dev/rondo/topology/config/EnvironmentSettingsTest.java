package dev.rondo.topology.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvironmentSettingsTest {
  private static final Map<String, String> ENOUGH =
      Map.of(
          "RONDO_TOPOLOGY_BOOTSTRAP_SERVERS", "a:1",
          "RONDO_TOPOLOGY_STATE_DIR", "/state",
          "RONDO_TOPOLOGY_INSTANCE_ID", "rondo-topology-3",
          "RONDO_TOPOLOGY_STREAMS_NUM_STANDBY_REPLICAS", "2",
          "RONDO_TOPOLOGY_HTTP_PORT", "9000");

  @Test
  void shouldReadAllSettingsFromTheEnvironment() throws IOException {
    TopologyConfig config = TopologyConfig.read(Optional.empty(), ENOUGH);
    assertThat(config.instance()).isEqualTo("rondo-rondo-topology-3");
    assertThat(config.getInt("http.port")).isEqualTo(9000);
    assertThat(config.streams()).containsEntry("num.standby.replicas", "2");
  }

  @Test
  void shouldPreferTheEnvironmentToTheFile(@TempDir Path dir) throws IOException {
    Path file = Files.writeString(dir.resolve("file"), "http.port=1\npartitions=3\n");
    Map<String, String> environment = Map.of(EnvironmentSettings.FILE_VARIABLE, file.toString());
    assertThat(EnvironmentSettings.file(environment)).contains(file);
    assertThat(EnvironmentSettings.file(Map.of(EnvironmentSettings.FILE_VARIABLE, ""))).isEmpty();
    TopologyConfig config = TopologyConfig.read(Optional.of(file), ENOUGH);
    assertThat(config.getInt("http.port")).isEqualTo(9000);
    assertThat(config.getInt("partitions")).isEqualTo(3);
  }

  @Test
  void shouldSayHowToNameAMissingFile() {
    assertThatThrownBy(() -> TopologyConfig.read(Optional.of(Path.of("/none")), Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("settings file is missing or not readable")
        .hasMessageContaining(EnvironmentSettings.FILE_VARIABLE);
  }

  @Test
  void shouldMapEachKeyToItsOwnVariable() {
    for (String key : SettingDefinitions.ALL.names()) {
      String value = key.equals("http.port") ? "1" : "PT";
      assertThat(EnvironmentSettings.isOfTopology(EnvironmentSettings.variable(key), value))
          .as(key)
          .isTrue();
    }
    assertThat(SettingDefinitions.ALL.names().stream().map(EnvironmentSettings::variable))
        .doesNotHaveDuplicates()
        .doesNotContain(EnvironmentSettings.FILE_VARIABLE, "RONDO_TOPOLOGY_HEAP");
    assertThat(SettingDefinitions.ALL.names()).allMatch(key -> key.matches("[a-z0-9.]+"));
  }

  @Test
  void shouldIgnoreTheVariablesOfAService() {
    Map<String, String> ofService =
        Map.of(
            "RONDO_TOPOLOGY_SERVICE_HOST", "10.0.0.1",
            "RONDO_TOPOLOGY_SERVICE_PORT", "8889",
            "RONDO_TOPOLOGY_SERVICE_PORT_HTTP", "8889",
            "RONDO_TOPOLOGY_PORT", "tcp://10.0.0.1:8889",
            "RONDO_TOPOLOGY_HTTP_PORT", "tcp://10.0.0.2:80", // a service rondo-topology-http
            "RONDO_TOPOLOGY_PORT_8889_TCP", "tcp://10.0.0.1:8889",
            "RONDO_TOPOLOGY_PORT_8889_TCP_ADDR", "10.0.0.1",
            "RONDO_TOPOLOGY_PORT_8889_TCP_PROTO", "tcp",
            "RONDO_TOPOLOGY_HEAP", "1g");
    assertThat(EnvironmentSettings.of(ofService)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          RONDO_TOPOLOGY_PARTITION  | 4       | RONDO_TOPOLOGY_PARTITION is not a setting: did you mean RONDO_TOPOLOGY_PARTITIONS?
          RONDO_TOPOLOGY_PORT       | 8889    | RONDO_TOPOLOGY_PORT is not a setting: did you mean RONDO_TOPOLOGY_
          RONDO_TOPOLOGY_PARTITIONS | 0       | RONDO_TOPOLOGY_PARTITIONS: Invalid value 0 for configuration partitions: Value must be at least 1
          RONDO_TOPOLOGY_WIDTH      | wide    | RONDO_TOPOLOGY_WIDTH: Invalid value wide for configuration width: Not a number of type INT
          """)
  void shouldNameVariableValueAndBound(String variable, String value, String message) {
    assertThatThrownBy(() -> EnvironmentSettings.of(Map.of(variable, value)))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(message);
  }
}
