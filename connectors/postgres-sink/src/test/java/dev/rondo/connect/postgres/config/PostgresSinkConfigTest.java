package dev.rondo.connect.postgres.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.connect.postgres.PostgresSinkConnector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.sink.SinkConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresSinkConfigTest {
  private static final String URL = "jdbc:postgresql://db.example:5433/rondo";

  /** A connector's config as Connect hands it over. */
  private static final Map<String, String> GOOD =
      Map.of(
          "name", "rondo",
          "connector.class", PostgresSinkConnector.class.getName(),
          "tasks.max", "2",
          "topics", "rondo.series,rondo.bundle-rows",
          "consumer.override.isolation.level", "read_committed",
          "errors.retry.delay.max.ms", "1000",
          "connection.url", URL,
          "connection.user", "rondo",
          "connection.password", "secret");

  @Test
  void shouldReadValuesAndDefaults() {
    PostgresSinkConfig config = PostgresSinkConfig.of(GOOD);
    assertThat(config.url()).isEqualTo(URL);
    assertThat(config.user()).isEqualTo("rondo");
    assertThat(config.password().value()).isEqualTo("secret");
    assertThat(config.retryBackoffMs()).isEqualTo(200);
    assertThat(config.retryBackoffMaxMs()).isEqualTo(10_000);
    assertThat(config.toString()).doesNotContain("secret");
  }

  @Test
  void shouldTakeUserFromUrl() {
    var props = with("connection.url", URL + "?user=rondo");
    props.remove("connection.user");
    assertThat(errors(props)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "rondo",
        "postgresql://db/rondo",
        "jdbc:mysql://db/rondo",
        "jdbc:postgresql://db:port/rondo"
      })
  void shouldRefuseUrlOfAnotherForm(String url) {
    assertThat(errors(with("connection.url", url)))
        .singleElement()
        .asString()
        .contains("connection.url", url, "jdbc:postgresql://host");
  }

  @Test
  void shouldRefuseMissingUrl() {
    var props = with("connection.url", URL);
    props.remove("connection.url");
    assertThat(errors(props)).singleElement().asString().contains("connection.url");
  }

  @Test
  void shouldRefusePasswordInUrlWithoutShowingIt() {
    assertThat(errors(with("connection.url", URL + "?password=topsecret")))
        .singleElement()
        .asString()
        .contains("connection.url", "connection.password")
        .doesNotContain("topsecret");
  }

  @Test
  void shouldRefuseTwoUsers() {
    assertThat(errors(with("connection.url", URL + "?user=other")))
        .singleElement()
        .asString()
        .contains("connection.user is 'rondo'", "'other'");
  }

  @Test
  void shouldRefuseNoUser() {
    assertThat(errors(with("connection.user", "")))
        .singleElement()
        .asString()
        .contains("connection.user is empty", "connection.url");
  }

  @Test
  void shouldRefuseBackoffAboveItsLongest() {
    assertThat(errors(with("retry.backoff.ms", "20000")))
        .singleElement()
        .asString()
        .contains("retry.backoff.max.ms is 10000 ms", "retry.backoff.ms, 20000 ms");
  }

  @ParameterizedTest
  @CsvSource({
    "retry.backoff.ms, 0",
    "retry.backoff.max.ms, soon",
    "connection.timeout.ms, 10",
    "socket.timeout.ms, 10"
  })
  void shouldNameWrongKeyAndValue(String key, String value) {
    assertThat(errors(with(key, value)))
        .anySatisfy(error -> assertThat(error).contains(key, value));
  }

  @Test
  void shouldTakeKeysOfTheAdminClient() {
    assertThat(errors(with("kafka.sasl.jaas.config", "x"))).isEmpty();
    assertThat(errors(with("kafka.sasl.jaas.confi", "x"))).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "connection.pasword, connection.password",
    "conection.url, connection.url",
    "connection.uri, connection.url",
    "retry.backof.ms, retry.backoff.ms",
    "retry.backoff.max, retry.backoff.ms"
  })
  void shouldNameNearestOfUnknownKey(String unknown, String nearest) {
    assertThat(errors(with(unknown, "x")))
        .singleElement()
        .asString()
        .isEqualTo("Unknown key %s: did you mean %s?", unknown, nearest);
  }

  @Test
  void shouldStartOnlyWithGoodConfig() {
    var connector = new PostgresSinkConnector();
    assertThatThrownBy(() -> connector.start(with("connection.url", "nowhere")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("connection.url");
    connector.start(GOOD);
    assertThat(connector.taskConfigs(2))
        .containsExactly(with("task.id", "0"), with("task.id", "1"));
  }

  @Test
  void shouldValidateAsConnectAsks() {
    var values = new PostgresSinkConnector().validate(with("connection.url", "nowhere"));
    assertThat(values.configValues())
        .filteredOn(value -> value.name().equals("connection.url"))
        .flatExtracting(ConfigValue::errorMessages)
        .isNotEmpty();
  }

  @Test
  void shouldBeFoundByConnect() {
    assertThat(ServiceLoader.load(SinkConnector.class))
        .hasAtLeastOneElementOfType(PostgresSinkConnector.class);
  }

  private static Map<String, String> with(String key, String value) {
    var props = new HashMap<>(GOOD);
    props.put(key, value);
    return props;
  }

  private static List<String> errors(Map<String, String> props) {
    return PostgresSinkConfig.validate(props).stream()
        .flatMap(value -> value.errorMessages().stream())
        .toList();
  }
}
