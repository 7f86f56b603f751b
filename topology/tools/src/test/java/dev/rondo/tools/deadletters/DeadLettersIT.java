package dev.rondo.tools.deadletters;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.embedded.NewTopics;
import dev.rondo.schemas.Topics;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import dev.rondo.tools.command.Commands;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Runs the command on a real broker, with dead letters of every kind. */
class DeadLettersIT {
  private static final int PARTITIONS = 3;
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path dir;

  private static Admin admin;
  private static KafkaProducer<byte[], byte[]> producer;

  private final KafkaSpace kafka = TestBed.kafka();
  private final String metrics = kafka.source("metrics");
  private final String deadLetters = kafka.topic("dead-letters");
  private Path settings;
  private StringWriter out;

  /** Headers of a dead letter to be written. */
  private Map<String, Object> headers;

  @BeforeAll
  static void start() {
    Map<String, Object> clients = Map.of("bootstrap.servers", TestBed.bootstrap());
    admin = Admin.create(clients);
    Map<String, Object> large = new HashMap<>(clients);
    large.put("max.request.size", 4 * 1024 * 1024);
    producer = new KafkaProducer<>(large, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @AfterAll
  static void stop() {
    producer.close();
    admin.close();
  }

  @BeforeEach
  void makeTopics() throws Exception {
    makeTopic(deadLetters, Topics.DEAD_LETTERS.configs());
    makeTopic(metrics, Map.of());
    settings =
        Files.writeString(
            dir.resolve(kafka.prefix() + ".properties"),
            "bootstrap.servers=%s\nrondo.prefix=%s\nstate.dir=%s\n"
                .formatted(kafka.bootstrap(), kafka.prefix(), dir.resolve("state")));
  }

  private static void makeTopic(String name, Map<String, String> configs) throws Exception {
    NewTopic topic = new NewTopic(name, PARTITIONS, (short) 1).configs(configs);
    NewTopics.create(admin, List.of(topic));
  }

  /** A dead letter of the record at {@code offset} of metrics-2, as decode writes it. */
  private DeadLettersIT deadLetter(long offset, String value) {
    headers = new LinkedHashMap<>();
    headers.put("rondo.topic", metrics);
    headers.put("rondo.partition", 2);
    headers.put("rondo.offset", offset);
    headers.put("rondo.timestamp", 1000 + offset);
    headers.put("rondo.reason", "unreadable");
    headers.put("rondo.detail", "why " + offset);
    headers.put("rondo.count", 1);
    headers.put("rondo.bytes", value.length());
    return this;
  }

  private DeadLettersIT with(String header, Object text) {
    headers.put(header, text);
    return this;
  }

  private void write(int partition, String key, String value) throws Exception {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            deadLetters,
            partition,
            key == null ? null : key.getBytes(UTF_8),
            value.getBytes(UTF_8));
    headers.forEach((name, text) -> record.headers().add(name, text.toString().getBytes(UTF_8)));
    producer.send(record).get();
  }

  /** Runs the command; returns the lines that it prints, and checks its exit code. */
  private List<String> run(int code, String... arguments) {
    out = new StringWriter();
    List<String> all = new ArrayList<>(Arrays.asList(arguments));
    all.addAll(List.of("--config", settings.toString()));
    int exit =
        Commands.commandLine(new DeadLettersCommand())
            .setOut(new PrintWriter(out, true))
            .execute(all.toArray(String[]::new));
    assertThat(exit).as(out.toString()).isEqualTo(code);
    return out.toString().lines().toList();
  }

  private List<String> run(String... arguments) {
    return run(0, arguments);
  }

  /** All records of a topic. */
  private List<ConsumerRecord<byte[], byte[]>> recordsOf(String topic) {
    Map<String, Object> config =
        Map.of("bootstrap.servers", kafka.bootstrap(), "auto.offset.reset", "earliest");
    try (var consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
      return records;
    }
  }

  private List<String> sent() {
    return recordsOf(metrics).stream()
        .map(
            record ->
                "%d %s %s %s"
                    .formatted(
                        record.partition(),
                        record.key() == null ? null : new String(record.key(), UTF_8),
                        new String(record.value(), UTF_8),
                        Arrays.stream(record.headers().toArray())
                            .map(header -> header.key() + "=" + new String(header.value(), UTF_8))
                            .collect(Collectors.joining(","))))
        .toList();
  }

  @Test
  void shouldReportThatThereAreNoDeadLetters() {
    assertThat(run()).containsExactly("no dead letters");
    assertThat(run("--summary")).containsExactly("no dead letters");
    assertThat(run("--json")).isEmpty();
    assertThat(run("resend")).containsExactly("Sent: 0 dead letters.");
  }

  @Test
  void shouldListTheNewestLast() throws Exception {
    deadLetter(1, "half").write(0, "k", "half");
    deadLetter(2, "\u0001\u0002")
        .with("rondo.reason", "not-a-number")
        .write(1, null, "\u0001\u0002");
    assertThat(run())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .matches("20\\S+Z  unreadable  " + metrics + "-2 offset 1  1 in 4 bytes"),
            line -> assertThat(line).isEqualTo("  why 1"),
            line -> assertThat(line).isEqualTo("  half"),
            line -> assertThat(line).contains("  not-a-number  " + metrics + "-2 offset 2"),
            line -> assertThat(line).isEqualTo("  why 2"),
            line -> assertThat(line).isEqualTo("  hex 01 02"));
    assertThat(run("--reason", "not-a-number")).hasSize(3).contains("  why 2");
    assertThat(run("--topic", "other")).containsExactly("no dead letters");
    assertThat(run("--topic", metrics, "--topic", "other")).hasSize(6);
    assertThat(run("--from", "1h")).hasSize(6);
  }

  /** The first step reads 50 records of each partition; the newest are all in one partition. */
  @Test
  void shouldFindTheNewestInAnyPartitionAtAnyDistance() throws Exception {
    for (int n = 0; n < 300; n++) {
      deadLetter(n, "x").with("rondo.reason", n < 5 ? "no-such" : "unreadable");
      if (n < 3) {
        with("rondo.reason", "too-many-tags");
      }
      write(n < 100 ? n % PARTITIONS : 1, null, "x");
    }
    List<String> newest = run("--limit", "70").stream().filter(l -> l.startsWith("  why")).toList();
    assertThat(newest).hasSize(70).startsWith("  why 230").endsWith("  why 299");
    assertThat(run("--reason", "too-many-tags"))
        .contains("  why 0", "  why 1", "  why 2")
        .hasSize(9);
    assertThat(run("--limit", "1000")).hasSize(900);
    assertThat(run("--summary"))
        .anySatisfy(line -> assertThat(line).matches(" +295 +295 +295 .* unreadable +" + metrics))
        .hasSize(4);
  }

  @Test
  void shouldPrintAWholeDeadLetterAsJson() throws Exception {
    deadLetter(7, "half").with("trace", "abc").with("rondo.resent", 2).write(2, "k", "half");
    JsonNode json = JSON.readTree(run("--json").get(0));
    assertThat(json.get("reason").asText()).isEqualTo("unreadable");
    assertThat(json.get("detail").asText()).isEqualTo("why 7");
    assertThat(json.get("partition").asInt()).isEqualTo(2);
    assertThat(json.get("offset").asLong()).isZero();
    assertThat(json.get("source").get("topic").asText()).isEqualTo(metrics);
    assertThat(json.get("source").get("partition").asInt()).isEqualTo(2);
    assertThat(json.get("source").get("offset").asLong()).isEqualTo(7);
    assertThat(json.get("source").get("written_ms").asLong()).isEqualTo(1007);
    assertThat(json.get("resent").asInt()).isEqualTo(2);
    assertThat(json.get("sent").asBoolean()).isFalse();
    assertThat(json.get("value").binaryValue()).isEqualTo("half".getBytes(UTF_8));
    assertThat(json.get("key").binaryValue()).isEqualTo("k".getBytes(UTF_8));
    assertThat(json.get("headers")).hasSize(1);
    assertThat(json.get("headers").get(0).get("name").asText()).isEqualTo("trace");
  }

  @Test
  void shouldResendEachDeadLetterOnceToWhereItCameFrom() throws Exception {
    deadLetter(2, "two").write(0, null, "two");
    deadLetter(1, "one").with("trace", "abc").write(1, "k", "one");
    deadLetter(3, "three")
        .with("rondo.partition", 9)
        .with("rondo.resent", 1)
        .with("rondo.timestamp", 5000)
        .with("rondo.written", 1003)
        .write(2, "k", "three");
    List<String> plan = run("resend", "--dry-run");
    assertThat(plan).endsWith("Would send 3 dead letters; nothing was sent (--dry-run).");
    assertThat(plan.get(1)).matches(" +3  unreadable +" + metrics);
    assertThat(sent()).isEmpty();

    assertThat(run("resend")).endsWith("Sent: 3 dead letters.");
    assertThat(sent())
        .contains(
            "2 k one trace=abc,rondo.resent=1,rondo.written=1001",
            "2 null two rondo.resent=1,rondo.written=1002")
        .hasSize(3)
        .anySatisfy(line -> assertThat(line).endsWith("k three rondo.resent=2,rondo.written=1003"));
    assertThat(sent().indexOf("2 k one trace=abc,rondo.resent=1,rondo.written=1001"))
        .as("in the order of writing")
        .isLessThan(sent().indexOf("2 null two rondo.resent=1,rondo.written=1002"));

    assertThat(run("resend"))
        .endsWith("Sent: 0 dead letters.")
        .anySatisfy(this::saysThatThreeWereSentBefore);
    assertThat(sent()).hasSize(3);
    assertThat(run()).filteredOn(line -> line.endsWith(", resent")).hasSize(3);
    assertThat(JSON.readTree(run("--json").get(0)).get("sent").asBoolean()).isTrue();
    assertThat(run("--summary").get(1)).startsWith("        3 ");

    assertThat(run("resend", "--again")).endsWith("Sent: 3 dead letters.");
    assertThat(sent()).hasSize(6);
  }

  private void saysThatThreeWereSentBefore(String line) {
    assertThat(line).startsWith("Not sent: 3, sent before");
  }

  @Test
  void shouldResendOnlyTheSelectedDeadLettersAndTheOthersLater() throws Exception {
    for (int n = 0; n < 6; n++) {
      deadLetter(n, "x").with("rondo.reason", n % 2 == 0 ? "unreadable" : "not-a-number");
      write(n % PARTITIONS, null, "x" + n);
    }
    assertThat(run("resend", "--reason", "not-a-number")).endsWith("Sent: 3 dead letters.");
    assertThat(run("resend", "--reason", "not-a-number")).endsWith("Sent: 0 dead letters.");
    deadLetter(9, "x").write(0, null, "x9");
    assertThat(run("resend")).endsWith("Sent: 4 dead letters.");
    assertThat(recordsOf(metrics))
        .extracting(record -> new String(record.value(), UTF_8))
        .containsExactly("x1", "x3", "x5", "x0", "x2", "x4", "x9");
  }

  @Test
  void shouldResendToAnotherTopic() throws Exception {
    deadLetter(1, "x").with("rondo.topic", "gone").write(0, null, "x");
    assertThat(run("resend"))
        .contains("Not sent: 1, from a topic that no longer exists (--to names another one)")
        .endsWith("Sent: 0 dead letters.");
    assertThat(run(2, "resend", "--to", "nowhere")).isEmpty();
    assertThat(run("resend", "--to", metrics)).endsWith("Sent: 1 dead letters.");
    assertThat(sent()).containsExactly("2 null x rondo.resent=1,rondo.written=1001");
    assertThat(admin.listTopics().names().get()).doesNotContain("gone", "nowhere");
  }

  @Test
  void shouldNotResendCutBytesNorWhatKeepsComingBack() throws Exception {
    deadLetter(1, "x").with("rondo.bytes", 5_000_000).write(0, null, "x");
    deadLetter(2, "x").with("rondo.resent", 3).write(0, null, "x");
    deadLetter(3, "").write(0, null, "");
    deadLetter(4, "x").with("rondo.key.bytes", 70_000).write(0, null, "x4");
    headers = new HashMap<>(Map.of("a", "b"));
    write(0, "not", "a dead letter");
    assertThat(run("resend"))
        .contains(
            "Not sent: 1, cut, because their bytes were too long to be kept",
            "Not sent: 1, without bytes",
            "Not sent: 1, sent 3 times and came back each time (--again sends them once more)")
        .endsWith("Sent: 1 dead letters.");
    assertThat(sent()).containsExactly("2 null x4 rondo.resent=1,rondo.written=1004");
  }

  @Test
  void shouldContinueWhenKafkaRefusesADeadLetter() throws Exception {
    byte[] incompressible = new byte[1_200_000];
    new Random(1).nextBytes(incompressible);
    deadLetter(1, "x").write(0, null, Base64.getEncoder().encodeToString(incompressible));
    deadLetter(2, "y").write(0, null, "y");
    assertThat(run("resend"))
        .contains("Not sent: 1, refused by Kafka")
        .endsWith("Sent: 1 dead letters.");
    assertThat(recordsOf(metrics)).hasSize(1);
    assertThat(run("resend", "--dry-run"))
        .endsWith("Would send 1 dead letters; nothing was sent (--dry-run).");
  }

  @Test
  void shouldReportATopologyThatHasNeverRun() throws Exception {
    admin.deleteTopics(List.of(deadLetters)).all().get();
    Awaitility.await() // a broker lists a deleted topic for a moment
        .until(() -> !admin.listTopics().names().get().contains(deadLetters));
    assertThat(run(1)).isEmpty();
    assertThat(admin.listTopics().names().get()).doesNotContain(deadLetters);
  }
}
