package dev.rondo.connect.postgres.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.connect.postgres.PostgresSinkConnector;
import dev.rondo.connect.postgres.RondoConverter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.storage.StringConverter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectKeysTest {
  private static final Map<String, String> GOOD =
      Map.of(
          "value.converter", RondoConverter.class.getName(),
          "key.converter", StringConverter.class.getName(),
          "consumer.override.isolation.level", "read_committed",
          "errors.tolerance", "all",
          "errors.deadletterqueue.topic.name", "dead-letters");

  @Test
  void shouldHaveNothingAgainstWhatTheReadmeAdvises() {
    assertThat(errors(GOOD)).isEmpty();
    assertThat(ConnectKeys.warnings(GOOD)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.apache.kafka.connect.storage.StringConverter",
        "org.apache.kafka.connect.converters.ByteArrayConverter",
        "StringConverter",
        " LongConverter "
      })
  void shouldRefuseConverterWithoutFields(String converter) {
    assertThat(errors(with("value.converter", converter)))
        .singleElement()
        .asString()
        .contains("value.converter is '" + converter.trim() + "'", RondoConverter.class.getName());
  }

  @Test
  void shouldLeaveConverterToTransformations() {
    var config = with("value.converter", StringConverter.class.getName());
    config.put("transforms", "parse");
    assertThat(errors(config)).isEmpty();
    assertThat(errors(with("value.converter", JsonConverter.class.getName()))).isEmpty();
    assertThat(errors(with("value.converter", null))).as("the worker's own").isEmpty();
  }

  @Test
  void shouldRefuseIsolationLevelThatThereIsNot() {
    assertThat(errors(with("consumer.override.isolation.level", "read_comitted")))
        .singleElement()
        .asString()
        .contains("consumer.override.isolation.level", "read_comitted", "read_committed");
  }

  @ParameterizedTest
  @CsvSource({
    "consumer.override.isolation.level,, aborted transactions",
    "consumer.override.isolation.level, read_uncommitted, aborted transactions",
    "errors.deadletterqueue.topic.name,, dropped without a trace",
    "key.converter, org.apache.kafka.connect.converters.ByteArrayConverter, cannot be retired"
  })
  void shouldWarn(String key, String value, String danger) {
    var config = with(key, value);
    assertThat(errors(config)).isEmpty();
    assertThat(ConnectKeys.warnings(config)).singleElement().asString().contains(key, danger);
  }

  @Test
  void shouldCountErrorsInTheLogAsATrace() {
    var config = with("errors.deadletterqueue.topic.name", null);
    config.put("errors.log.enable", "true");
    assertThat(ConnectKeys.warnings(config)).isEmpty();
  }

  @Test
  void shouldReportThemWithTheSinksOwn() {
    var config = with("value.converter", "StringConverter");
    config.put("connection.url", "jdbc:postgresql://db/rondo?user=rondo");
    assertThat(new PostgresSinkConnector().validate(config).configValues())
        .filteredOn(value -> !value.errorMessages().isEmpty())
        .singleElement()
        .satisfies(value -> assertThat(value.name()).isEqualTo("value.converter"));
  }

  private static List<String> errors(Map<String, String> config) {
    return ConnectKeys.errors(config).stream()
        .flatMap(value -> value.errorMessages().stream())
        .toList();
  }

  private static Map<String, String> with(String key, String value) {
    var config = new HashMap<>(GOOD);
    config.put(key, value);
    return config;
  }
}
