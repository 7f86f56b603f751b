package dev.rondo.local;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rondo.connection.kafka.KafkaSettings;
import dev.rondo.embedded.NewTopics;
import dev.rondo.embedded.PropertiesFile;
import dev.rondo.embedded.secured.Certificates;
import dev.rondo.embedded.secured.SecuredBroker;
import dev.rondo.local.parts.QueryApiKafka;
import dev.rondo.local.settings.Installation;
import dev.rondo.local.state.HttpProbe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code ./rondo up} on brokers with TLS and SCRAM, whose user has only the rights that {@code
 * ./rondo acls} prints.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecuredUpIT {
  /** The password, with its quote unescaped, escaped once and twice. */
  private static final Pattern PASSWORD = Pattern.compile("pass-\\\\{0,3}\"word");

  private static final Duration VISIBLE_BOUND = Duration.ofMinutes(2);
  private static final String TOKEN = "may-delete";

  private static final Map<String, String> AUTHORIZER =
      Map.of(
          "authorizer.class.name",
          StandardAuthorizer.class.getName(),
          "super.users",
          "User:ANONYMOUS;User:CN=client");
  private static final String REQUEST =
      """
      from rondo_query_api import settings
      from rondo_query_api.kafka.connection import connection_settings
      from rondo_query_api.kafka.deletions import Deletions
      from rondo_query_api.kafka.sending import Sender
      connection = connection_settings(settings.Settings.from_environment())
      Deletions(Sender(connection), "rondo.series-requests").request("test", ["absent"])
      """;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path temporary;

  private SecuredBroker kafka;
  private Path config;
  private Path dir;
  private RondoScript rondo;
  private JsonNode status;

  @BeforeAll
  void up() throws Exception {
    dir = temporary.resolve("data");
    rondo = new RondoScript(dir, Map.of("RONDO_API_WRITE_TOKENS", TOKEN));
    kafka = SecuredBroker.start(temporary.resolve("kafka"), AUTHORIZER);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.broker().bootstrap()))) {
      admin.createAcls(rights()).all().get();
      NewTopics.create(admin, List.of(new NewTopic("points", Optional.of(1), Optional.empty())));
    }
    config = write(kafka.scram());
    var up = up("--detach", "--kafka=" + bootstrap(), "--kafka-config=" + config);
    assertThat(up.exitCode()).as(up.output()).isZero();
    assertThat(up.output()).doesNotContain("cannot delete");
    status = rondo.status();
    publish();
  }

  /** Grants the rights of all parts to one user, as if Rondo had run before. */
  private List<AclBinding> rights() throws Exception {
    Path settings = Files.createDirectories(dir.resolve("topology")).resolve("topology.properties");
    Files.writeString(settings, "bootstrap.servers=%s%nstate.dir=unused%n".formatted(bootstrap()));
    return PrintedRights.of(
        rondo,
        Stream.of("topology", "connect", "api", "tools", "senders")
            .map(part -> "--principal-%s=%s".formatted(part, SecuredBroker.USER))
            .toList());
  }

  private void publish() throws Exception {
    long past = Instant.now().getEpochSecond() - 600;
    Map<String, Object> settings = new HashMap<>(kafka.scram());
    try (var producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      for (long at = past; at < past + 120; at += 10) {
        for (String series : List.of("secured.value", "secured.deleted")) {
          producer.send(new ProducerRecord<>("points", series + " 7 " + at)).get();
        }
      }
      producer.send(new ProducerRecord<>("points", "no point")).get(); // becomes a dead letter
    }
  }

  private String bootstrap() {
    return kafka.scram().get("bootstrap.servers");
  }

  private static Path write(Map<String, String> settings) throws IOException {
    return PropertiesFile.write(Files.createTempFile(temporary, "kafka-", ".properties"), settings);
  }

  private RondoScript.Outcome up(String... options) throws Exception {
    return rondo.run(
        List.of(
            "up",
            "--postgres-port=0",
            "--connect-port=0",
            "--connect-metrics-port=0",
            "--api-port=0",
            "--topology-port=0"),
        options);
  }

  @AfterAll
  void down() throws Exception {
    if (rondo != null) {
      rondo.run("down");
    }
    if (kafka != null) {
      kafka.close();
    }
  }

  @Test
  @Tag("long")
  void shouldBackfillBesideTheTopology() throws Exception {
    var backfill = rondo.run("backfill", "--topic=points", "--rate=0");

    assertThat(backfill.exitCode()).as(backfill.output()).isZero();
    assertThat(backfill.output()).contains("done: ");
  }

  @Test
  void shouldCarryPointsOfAnyProducerAndOfThisMachine() throws Exception {
    await()
        .atMost(VISIBLE_BOUND)
        .untilAsserted(
            () -> {
              assertThat(get("/render?format=json&from=-1h&target=secured.value"))
                  .contains("[7.0,");
              assertThat(get("/metrics/find?query=*")).contains("\"hosts\"");
            });
    assertThat(run(List.of("series", "list"), "**")).contains("secured.value");
  }

  @Test
  void shouldDeleteSeriesByTheQueryApi() throws Exception {
    String found = "/metrics/find?query=secured.deleted";
    await().atMost(VISIBLE_BOUND).untilAsserted(() -> assertThat(get(found)).contains("deleted"));

    var request =
        HttpRequest.newBuilder(URI.create(status.get("api").asText() + "/tags/delSeries"))
            .header("Authorization", "Bearer " + TOKEN)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString("path=secured.deleted"))
            .build();
    var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());

    assertThat(answer.body()).isEqualTo("true");
    await().atMost(VISIBLE_BOUND).untilAsserted(() -> assertThat(get(found)).isEqualTo("[]"));
  }

  @Test
  @Tag("long")
  void shouldTranslateAnySettingsForTheQueryApi() throws Exception {
    Map<String, String> stores = kafka.mutualTls();
    stores.put("ssl.keystore.type", "PKCS12");
    stores.put("ssl.keystore.location", kafka.certificates().clientStore().toString());
    stores.put("ssl.keystore.password", Certificates.PASSWORD);
    stores.put("ssl.truststore.type", "PKCS12");
    stores.put("ssl.truststore.location", kafka.certificates().brokerStore().toString());
    stores.put("ssl.truststore.password", Certificates.PASSWORD);
    for (var settings : List.of(kafka.plain(), kafka.mutualTls(), stores)) {
      assertThat(requestDeletion(settings)).isEmpty();
    }
    assertThat(QueryApiKafka.canConnect(settings(kafka.oauth()))).isFalse();
  }

  @Test
  @Tag("long")
  void shouldExplainWhyKafkaRefusesTheQueryApi() throws Exception {
    Map<String, String> wrong = kafka.plain();
    wrong.replace("sasl.jaas.config", wrong.get("sasl.jaas.config").replace("pass", "PASS"));
    assertThat(requestDeletion(wrong))
        .contains(
            "KafkaUnavailableError: rondo.series-requests at 127.0.0.1:", "Authentication failed");
  }

  private KafkaSettings settings(Map<String, String> settings) throws IOException {
    return KafkaSettings.read(null, write(settings));
  }

  /** Requests a deletion like the query API; returns the output. */
  private String requestDeletion(Map<String, String> settings) throws Exception {
    var builder =
        new ProcessBuilder(Installation.current().python().toString(), "-c", REQUEST)
            .redirectErrorStream(true);
    builder
        .environment()
        .putAll(
            QueryApiKafka.environment(
                settings(settings), Files.createTempDirectory(temporary, "api")));
    Process process = builder.start();
    try (var in = process.getInputStream()) {
      return new String(in.readAllBytes(), ISO_8859_1);
    }
  }

  @Test
  @Tag("long")
  void shouldLetCommandsFindTheSettings() throws Exception {
    assertThat(status.get("kafkaConfig").asText()).isEqualTo(config.toString());
    assertThat(run(List.of("policies", "show"))).contains("10s:6h");
    assertThat(run(List.of("check", "source"), "--topic=points")).isNotEmpty();
  }

  @Test
  void shouldNameTheRightThatACommandLacks() throws Exception {
    var topic =
        new ResourcePatternFilter(ResourceType.TOPIC, "rondo.dead-letters", PatternType.LITERAL);
    var read = new AccessControlEntryFilter(null, null, AclOperation.READ, AclPermissionType.ALLOW);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.broker().bootstrap()))) {
      var rights = admin.deleteAcls(List.of(new AclBindingFilter(topic, read))).all().get();
      assertThat(rights).isNotEmpty();

      await("a dead letter that cannot be read, as brokers know that the right is gone")
          .untilAsserted(
              () -> {
                var letters = rondo.run("dead-letters");
                assertThat(letters.exitCode()).as(letters.output()).isEqualTo(1);
                assertThat(letters.output())
                    .contains("This command needs Read on topic rondo.dead-letters");
              });
      admin.createAcls(rights).all().get();
    }
  }

  @Test
  void shouldKeepSecretsInTheFile() throws Exception {
    assertThat(Files.readString(dir.resolve("connect/connect.properties")))
        .contains("${rondo\\:\\:sasl.jaas.config}");
    for (String name : List.of("rondo.json", "logs", "connect", "topology/topology.properties")) {
      try (var files = Files.walk(dir.resolve(name))) {
        assertThat(files.filter(Files::isRegularFile).toList())
            .isNotEmpty()
            .noneMatch(this::hasPassword);
      }
    }
    assertThat(configOfConnect())
        .anyMatch(value -> value.contains("\"kafka.sasl.jaas.config\":\"${rondo::sasl."))
        .noneMatch(value -> PASSWORD.matcher(value).find());
    assertThat(status.toString()).doesNotContainPattern(PASSWORD);
    assertThat(ProcessHandle.allProcesses().map(p -> p.info().commandLine().orElse("")))
        .noneMatch(command -> PASSWORD.matcher(command).find());
  }

  @Test
  void shouldRejectSettingsThatDoNotFitTheBrokers() throws Exception {
    var others = new RondoScript(temporary.resolve("refused"));

    var withoutBrokers = others.run("up", "--kafka-config=" + config);
    assertThat(withoutBrokers.exitCode()).isNotZero();
    assertThat(withoutBrokers.output()).contains("needs --kafka=HOST:PORT");

    var withoutFile = others.run("up", "--detach", "--kafka=" + bootstrap());
    assertThat(withoutFile.exitCode()).isNotZero();
    assertThat(withoutFile.output()).contains("rondo: Kafka at " + bootstrap(), "speaks TLS");
  }

  private boolean hasPassword(Path file) {
    try {
      return PASSWORD.matcher(Files.readString(file, ISO_8859_1)).find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> configOfConnect() {
    Map<String, Object> settings = Map.of("bootstrap.servers", kafka.broker().bootstrap());
    try (var consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      var partition = new TopicPartition("rondo-connect-config", 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      var values = new ArrayList<String>();
      while (consumer.position(partition) < end) {
        consumer.poll(Duration.ofSeconds(1)).forEach(each -> values.add("" + each.value()));
      }
      return values;
    }
  }

  private String run(List<String> command, String... options) throws Exception {
    var outcome = rondo.run(command, options);
    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    return outcome.output();
  }

  private String get(String path) throws Exception {
    return HttpProbe.get(status.get("api").asText() + path);
  }
}
