package dev.rondo.local;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rondo.embedded.secured.SecuredBroker;
import dev.rondo.local.state.HttpProbe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./rondo up} on brokers with TLS and SCRAM. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecuredUpIT {
  /** The password, also where its quote is escaped once or twice. */
  private static final Pattern PASSWORD = Pattern.compile("pass-\\\\{0,3}\"word");

  private static final Duration VISIBLE_BOUND = Duration.ofMinutes(2);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path temporary;

  private SecuredBroker kafka;
  private Path config;
  private Path dir;
  private RondoScript rondo;
  private JsonNode status;

  @BeforeAll
  void up() throws Exception {
    kafka = SecuredBroker.start(temporary.resolve("kafka"), Map.of());
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.broker().bootstrap()))) {
      admin
          .createTopics(List.of(new NewTopic("points", Optional.of(1), Optional.empty())))
          .all()
          .get();
    }
    config = write(kafka.scram());
    dir = temporary.resolve("data");
    rondo = new RondoScript(dir);
    var up = up("--detach", "--kafka=" + bootstrap(), "--kafka-config=" + config);
    assertThat(up.exitCode()).as(up.output()).isZero();
    assertThat(up.output()).contains("the query API cannot delete series");
    status = rondo.status();
    publish();
  }

  private void publish() throws Exception {
    long past = Instant.now().getEpochSecond() - 600;
    Map<String, Object> settings = new HashMap<>(kafka.scram());
    try (var producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      for (long at = past; at < past + 120; at += 10) {
        producer.send(new ProducerRecord<>("points", "secured.value 7 " + at)).get();
      }
    }
  }

  private String bootstrap() {
    return kafka.scram().get("bootstrap.servers");
  }

  private static Path write(Map<String, String> settings) throws IOException {
    var properties = new Properties();
    properties.putAll(settings);
    Path file = temporary.resolve("kafka.properties");
    try (var out = Files.newBufferedWriter(file)) {
      properties.store(out, null);
    }
    return file;
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
    kafka.close();
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
    assertThat(get("/series/deletion")).contains("RONDO_API_KAFKA_BOOTSTRAP_SERVERS");
    assertThat(run(List.of("series", "list"), "**")).contains("secured.value");
  }

  @Test
  void shouldLetCommandsFindTheSettings() throws Exception {
    assertThat(status.get("kafkaConfig").asText()).isEqualTo(config.toString());
    assertThat(run(List.of("policies", "show"))).contains("10s:6h");
    assertThat(run(List.of("check", "source"), "--topic=points")).isNotEmpty();
  }

  @Test
  void shouldKeepSecretsToTheFile() throws Exception {
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
  void shouldRefuseSettingsThatDoNotFitTheBrokers() throws Exception {
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
