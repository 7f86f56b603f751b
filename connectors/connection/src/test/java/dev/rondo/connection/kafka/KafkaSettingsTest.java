package dev.rondo.connection.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaSettingsTest {
  private static final String JAAS = "Module required username=\"u\" password=\"secret\";";

  @TempDir Path dir;

  private Path file(String... lines) throws IOException {
    return Files.writeString(dir.resolve("client.properties"), String.join("\n", lines));
  }

  @Test
  void shouldPreferOptionsToTheEnvironmentToTheFile() throws IOException {
    Path file =
        file(
            "bootstrap.servers=file:1",
            "security.protocol=SSL ",
            "client.id=of-file",
            "sasl.mechanism=PLAIN");
    Map<String, String> environment =
        Map.of(
            "RONDO_KAFKA_CONFIG", file.toString(),
            "RONDO_KAFKA_BOOTSTRAP_SERVERS", "environment:1",
            "RONDO_KAFKA_SECURITY_PROTOCOL", "SASL_SSL");
    assertThat(KafkaSettings.read(null, null, Map.of()).properties()).isEmpty();
    assertThat(KafkaSettings.read("", file, Map.of()).properties())
        .containsEntry("bootstrap.servers", "file:1")
        .containsEntry("security.protocol", "SSL");
    assertThat(KafkaSettings.read("", null, environment).properties())
        .containsEntry("bootstrap.servers", "environment:1")
        .containsEntry("security.protocol", "SASL_SSL")
        .containsEntry("client.id", "of-file");
    assertThat(KafkaSettings.read("option:1", null, environment).bootstrap()).isEqualTo("option:1");
    Path other = Files.writeString(dir.resolve("other.properties"), "client.id=of-other");
    KafkaSettings given = KafkaSettings.read("", other, environment);
    assertThat(given.file()).contains(other);
    assertThat(given.properties()).containsEntry("client.id", "of-other");
    assertThat(given.with(Map.of("client.id", "own"))).containsEntry("client.id", "own");
  }

  @Test
  void shouldIgnoreVariablesThatAreNotSettings() {
    Map<String, String> environment =
        Map.of(
            "RONDO_KAFKA_CONFIG", "",
            "RONDO_KAFKA_HEAP", "512m",
            "RONDO_KAFKA_PORT", "tcp://10.0.0.1:9092",
            "RONDO_KAFKA_SERVICE_HOST", "10.0.0.1",
            "RONDO_KAFKA_BOOTSTRAP_SERVICE_PORT_TCP_CLIENTS", "9092",
            "RONDO_KAFKA_BOOTSTRAP_PORT_9092_TCP_ADDR", "10.0.0.1");
    assertThat(KafkaSettings.read(null, null, environment).properties()).isEmpty();
    environment.forEach(
        (variable, value) ->
            assertThat(KafkaSettings.isOfClients(variable, value))
                .as(variable)
                .isEqualTo(variable.equals("RONDO_KAFKA_CONFIG")));
  }

  @ParameterizedTest
  @CsvSource({"PLAINTEXT, PLAINTEXT", "plaintext, PLAINTEXT", "sasl_ssl, SASL_SSL"})
  void shouldReturnTheProtocolInUpperCase(String given, String protocol) throws IOException {
    Path file = file("security.protocol=" + given);
    assertThat(KafkaSettings.read("a:1", file, Map.of()).protocol()).isEqualTo(protocol);
    assertThat(KafkaSettings.plaintext("a:1").protocol()).isEqualTo("PLAINTEXT");
  }

  @Test
  void shouldHideSecrets() throws IOException {
    KafkaSettings settings =
        KafkaSettings.read(
            "a:1",
            file("security.protocol=SASL_SSL", "sasl.mechanism=PLAIN"),
            Map.of("RONDO_KAFKA_SASL_JAAS_CONFIG", JAAS));
    assertThat(settings.properties()).containsEntry("sasl.jaas.config", new Password(JAAS));
    assertThat(settings.properties().toString()).doesNotContain("secret");
  }

  @Test
  void shouldAskConfigProviders() throws IOException {
    Files.writeString(dir.resolve("password"), "of-a-file");
    Path secrets = Files.writeString(dir.resolve("secrets"), "user=of-properties");
    Path file =
        file(
            "config.providers=file,directory",
            "config.providers.file.class=org.apache.kafka.common.config.provider.FileConfigProvider",
            "config.providers.directory.class="
                + "org.apache.kafka.common.config.provider.DirectoryConfigProvider",
            "security.protocol=SASL_PLAINTEXT",
            "sasl.jaas.config=Module required username=\"${file:"
                + secrets
                + ":user}\""
                + " password=\"${directory:"
                + dir
                + ":password}\";");
    Map<String, Object> properties = KafkaSettings.read("a:1", file, Map.of()).properties();
    assertThat(properties)
        .containsOnlyKeys("bootstrap.servers", "security.protocol", "sasl.jaas.config")
        .containsEntry(
            "sasl.jaas.config",
            new Password("Module required username=\"of-properties\" password=\"of-a-file\";"));
  }

  @Test
  void shouldServeConnectAsConfigProvider() throws IOException {
    Path file = file("security.protocol=SASL_SSL", "sasl.jaas.config=" + JAAS);
    try (KafkaSettingsProvider provider = new KafkaSettingsProvider()) {
      assertThat(provider.get(file.toString(), Set.of("sasl.jaas.config")).data())
          .isEqualTo(Map.of("sasl.jaas.config", JAAS));
    }
  }

  /** Otherwise anyone who may validate a connector could read any file of the worker. */
  @Test
  void shouldServeOnlyTheAllowedFile() throws IOException {
    Path file = file("security.protocol=SASL_SSL", "sasl.jaas.config=" + JAAS);
    Set<String> keys = Set.of("sasl.jaas.config");
    try (KafkaSettingsProvider provider = new KafkaSettingsProvider()) {
      provider.configure(Map.of(KafkaSettingsProvider.ALLOWED_FILE, ""));
      assertThatThrownBy(() -> provider.get(file.toString(), keys))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(file + " is not the file that references may name");
      provider.configure(Map.of(KafkaSettingsProvider.ALLOWED_FILE, file.toString()));
      assertThat(provider.get(file.toString(), keys).data()).containsKey("sasl.jaas.config");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          ssl.trustore.location=/x      | unknown key 'ssl.trustore.location': did you mean 'ssl.truststore.location'?
          acks=1                        | 'acks' is not a setting of all Kafka clients
          security.protocol=TLS         | Invalid value TLS for configuration security.protocol
          reconnect.backoff.ms=soon     | Invalid value soon for configuration reconnect.backoff.ms
          ssl.truststore.location=ca    | ssl.truststore.location is 'ca', which is not an absolute path
          ssl.truststore.location=/no/ca| ssl.truststore.location is '/no/ca', which is not a readable file
          ssl.key.password=${env:KEY}   | ssl.key.password refers to ${env:KEY}, which does not exist, or config.providers does not name 'env'
          """)
  void shouldNameFileAndKey(String line, String message) throws IOException {
    Path file = file(line, line.startsWith("security") ? "" : "security.protocol=SSL");
    assertThatThrownBy(() -> KafkaSettings.read("a:1", file, Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(file + ": ")
        .hasMessageContaining(message);
  }

  @Test
  void shouldNameTheVariable() {
    assertThatThrownBy(
            () -> KafkaSettings.read("a:1", null, Map.of("RONDO_KAFKA_SASL_MECHANISMS", "PLAIN")))
        .hasMessage(
            "RONDO_KAFKA_SASL_MECHANISMS: unknown key 'sasl.mechanisms': did you mean"
                + " 'sasl.mechanism'?");
    assertThatThrownBy(
            () -> KafkaSettings.read("a:1", null, Map.of("RONDO_KAFKA_SASL_MECHANISM", "PLAIN")))
        .hasMessage(
            "RONDO_KAFKA_SASL_MECHANISM: sasl.mechanism has no effect without security.protocol:"
                + " set it to SSL or SASL_SSL");
    assertThatThrownBy(
            () -> KafkaSettings.read("a:1", null, Map.of("RONDO_KAFKA_CONFIG", "/no/file")))
        .hasMessage(
            "there is no readable file /no/file (--kafka-config, kafka.config or"
                + " RONDO_KAFKA_CONFIG)");
  }
}
