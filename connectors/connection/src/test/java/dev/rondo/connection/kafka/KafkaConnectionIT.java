package dev.rondo.connection.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.rondo.embedded.secured.SecuredBroker;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Clients of a broker with TLS and SASL: accepted ones, and the errors of others. */
@Tag("long")
class KafkaConnectionIT {
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path dir;

  private static SecuredBroker kafka;

  @BeforeAll
  static void start() throws IOException, ExecutionException, InterruptedException {
    kafka = SecuredBroker.start(dir.resolve("kafka"), Map.of());
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  private static KafkaSettings settings(Map<String, String> settings) throws IOException {
    Properties properties = new Properties();
    properties.putAll(settings);
    Path file = Files.createTempFile(dir, "client", ".properties");
    try (Writer out = Files.newBufferedWriter(file)) {
      properties.store(out, null);
    }
    return KafkaSettings.read(null, file, Map.of());
  }

  /** Returns the error of a client that is refused before its timeout. */
  private static String refusal(
      Map<String, String> settings, Map<String, String> changed, String... removed)
      throws IOException {
    return failure(Duration.ofMinutes(1), settings, changed, removed);
  }

  /** Returns the error of a client that gets no answer. */
  private static String silence(
      Map<String, String> settings, Map<String, String> changed, String... removed)
      throws IOException {
    return failure(Duration.ofSeconds(2), settings, changed, removed);
  }

  private static String failure(
      Duration timeout,
      Map<String, String> settings,
      Map<String, String> changed,
      String... removed)
      throws IOException {
    Map<String, String> all = new HashMap<>(settings);
    all.putAll(changed);
    for (String key : removed) {
      all.remove(key);
    }
    KafkaSettings wrong = settings(all);
    Throwable failure = catchThrowable(() -> KafkaConnection.check(wrong, timeout));
    assertThat(failure).isInstanceOf(KafkaConnection.UnavailableException.class);
    assertThat(failure.getMessage()).doesNotContain("\n").doesNotContain(SecuredBroker.PASSWORD);
    return failure.getMessage();
  }

  @Test
  void shouldConnectByEachMechanism() throws IOException {
    for (Map<String, String> accepted :
        List.of(kafka.mutualTls(), kafka.plain(), kafka.scram(), kafka.oauth())) {
      KafkaSettings settings = settings(accepted);
      assertThatCode(() -> KafkaConnection.check(settings)).doesNotThrowAnyException();
    }
  }

  @Test
  void shouldExplainARefusalOfTheBroker() throws IOException {
    Map<String, String> plain = kafka.plain();
    String server = plain.get("bootstrap.servers");
    String client = kafka.certificates().clientCertificate().toString();
    assertThat(refusal(plain, Map.of("sasl.jaas.config", wrongPassword(plain))))
        .isEqualTo(
            "Kafka at %s (SASL_SSL, PLAIN): Authentication failed: Invalid username or password"
                .formatted(server));
    assertThat(refusal(kafka.scram(), Map.of("sasl.jaas.config", wrongPassword(kafka.scram()))))
        .contains("(SASL_SSL, SCRAM-SHA-512): ")
        .contains("invalid credentials");
    assertThat(
            refusal(
                kafka.oauth(), Map.of("sasl.oauthbearer.client.credentials.client.secret", "x")))
        .contains("401")
        .contains("invalid_client");
    assertThat(refusal(plain, Map.of("sasl.mechanism", "SCRAM-SHA-256")))
        .endsWith("enabled mechanisms are [PLAIN, SCRAM-SHA-512, OAUTHBEARER]");
    assertThat(refusal(plain, Map.of("sasl.jaas.config", "Module required password=a b=;")))
        .endsWith("sasl.jaas.config is not KEY=\"VALUE\" ...;");
    assertThat(
            refusal(plain, Map.of("bootstrap.servers", server.replace("127.0.0.1", "localhost"))))
        .endsWith("; the broker's certificate is for another host name");
    assertThat(refusal(plain, Map.of("ssl.truststore.location", client)))
        .endsWith("; the broker's certificate is not signed by a CA in ssl.truststore.location");
    assertThat(refusal(kafka.mutualTls(), Map.of(), "ssl.keystore.location", "ssl.keystore.type"))
        .contains("requires one (ssl.keystore.location)");
  }

  private static String wrongPassword(Map<String, String> settings) {
    return settings.get("sasl.jaas.config").replace("password=\"", "password=\"x");
  }

  @Test
  void shouldExplainAWrongProtocol() throws IOException {
    Map<String, String> plain = kafka.plain();
    String server = plain.get("bootstrap.servers");
    assertThat(silence(plain, Map.of("security.protocol", "SSL"), "sasl.mechanism"))
        .contains("it may use SASL (security.protocol)");
    assertThat(silence(Map.of(), Map.of("bootstrap.servers", server)))
        .contains("(PLAINTEXT)")
        .contains("speaks TLS: set security.protocol to SSL or SASL_SSL");
    assertThat(silence(plain, Map.of("bootstrap.servers", kafka.broker().bootstrap())))
        .contains("does not speak TLS: set security.protocol to PLAINTEXT");
    assertThat(silence(Map.of(), Map.of("bootstrap.servers", "127.0.0.1:1,nohost.invalid:9092")))
        .endsWith(
            "127.0.0.1:1 cannot be reached: Connection refused; there is no host 'nohost.invalid'");
    assertThat(silence(Map.of(), Map.of("bootstrap.servers", "127.0.0.1")))
        .contains("Invalid url in bootstrap.servers: 127.0.0.1");
  }
}
