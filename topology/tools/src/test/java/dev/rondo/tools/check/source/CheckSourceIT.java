package dev.rondo.tools.check.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.embedded.NewTopics;
import dev.rondo.formats.schemaregistry.RegistryServer;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import dev.rondo.tools.check.CheckCommand;
import dev.rondo.tools.command.Commands;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command on topics of a real broker. */
class CheckSourceIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** 2026-03-01T12:00:00Z; the records are written three seconds later. */
  private static final long NOON_S = 1_772_366_400;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path dir;

  private static KafkaSpace kafka;
  private static Admin admin;
  private static int tests;

  private final String topic = kafka.source("metrics") + tests++;
  private final List<String> options = new ArrayList<>();
  private String out;
  private String err;

  @BeforeAll
  static void start() {
    kafka = TestBed.kafka();
    admin = Admin.create(kafka.client());
  }

  @AfterAll
  static void stop() {
    admin.close();
  }

  @BeforeEach
  void make() throws Exception {
    var unlimited = Map.of("retention.ms", "-1"); // the records are old
    NewTopics.create(admin, List.of(new NewTopic(topic, 2, (short) 1).configs(unlimited)));
    await().until(() -> admin.listTopics().names().get().contains(topic));
    options.addAll(List.of("--kafka", kafka.bootstrap()));
  }

  private void send(int partition, String key, String... lines) throws Exception {
    send(partition, key, String.join("\n", lines).getBytes(UTF_8));
  }

  private void send(int partition, String key, byte[] value) throws Exception {
    Map<String, Object> config = kafka.client();
    try (var producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer
          .send(
              new ProducerRecord<>(
                  topic,
                  partition,
                  (NOON_S + 3) * 1000,
                  key == null ? null : key.getBytes(UTF_8),
                  value))
          .get();
    }
  }

  private static String line(String ident, double value, long afterNoonS) {
    return ident + " " + value + " " + (NOON_S + afterNoonS);
  }

  private int check(String... more) {
    List<String> arguments = new ArrayList<>(List.of("source", "--topic", topic));
    arguments.addAll(options);
    arguments.addAll(List.of(more));
    var printed = new StringWriter();
    var stderr = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(stderr, true, UTF_8));
    try {
      CommandLine command =
          Commands.commandLine(new CheckCommand()).setOut(new PrintWriter(printed));
      return command.execute(arguments.toArray(String[]::new));
    } finally {
      System.setErr(before);
      out = printed.toString();
      err = stderr.toString(UTF_8);
    }
  }

  private JsonNode json(String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.add("--json");
    assertThat(check(arguments.toArray(String[]::new))).as(err).isZero();
    return JSON.readTree(out);
  }

  @Test
  void shouldRecogniseRecordsOfASchemaRegistry() throws Exception {
    send(0, null, "\0\0\0\0\7abc");
    assertThat(check()).isEqualTo(1);
    assertThat(out)
        .contains("the records name schemas of a registry: --registry=URL proposes a source");
  }

  @Test
  void shouldProposeASourceFromASchema() throws Exception {
    String schema =
        """
        {"type":"record","name":"R","fields":[
          {"name":"ts","type":"long"},{"name":"metric","type":"string"},
          {"name":"value","type":"int"}]}
        """;
    var record = new ByteArrayOutputStream();
    record.writeBytes(new byte[] {0, 0, 0, 0, 7});
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(record, null);
    encoder.writeLong(NOON_S);
    encoder.writeString("load");
    encoder.writeInt(21);
    encoder.flush();
    send(0, null, record.toByteArray());
    try (var registry = RegistryServer.start(0).put("/schemas/ids/7", "AVRO", schema)) {
      assertThat(check("--registry=" + registry.url(), "--prefix=shop")).as(err).isZero();
      assertThat(out)
          .contains("Format: avro (proposed from schema 7)")
          .contains("  shop.load  2026-03-01T12:00:00Z  21.0  policy default")
          .contains("time.unit: s");
      Path sources = dir.resolve(topic + "-proposed.yaml");
      Files.writeString(sources, json("--registry=" + registry.url()).get("sources_file").asText());
      assertThat(ident("--sources=" + sources)).isEqualTo("load");

      Files.writeString(sources, "registries: {main: {url: '%s'}}".formatted(registry.url()));
      assertThat(check("--sources=" + sources, "--registry=main")).as(err).isZero();
      assertThat(out).contains("registry: main");
    }
    assertThat(check("--registry=http://127.0.0.1:1")).isEqualTo(1);
    assertThat(err).contains("schema 7: http://127.0.0.1:1: cannot be reached (--registry)");
  }

  @Test
  void shouldPreviewTheRecords() throws Exception {
    send(0, null, line("cpu.user;host=a", 12.5, 0), "half", line("mem", Double.NaN, 1));
    send(1, null, line("cpu.user;host=a", 13, 2), line("disk", 1, 5000));
    assertThat(check()).as(err).isZero();
    assertThat(out)
        .contains("Topic " + topic + ": 2 partitions. Records: 2, the newest. Format: auto")
        .containsPattern("0 +0 +2026-03-01T12:00:03Z +none +[0-9]+ +graphite")
        .contains(
            "  cpu.user;host=a  2026-03-01T12:00:00Z  12.5  policy default (10s:6h, 1m:7d, 1h:1y)")
        .contains("  dropped, unreadable: fields: 1, not path value time: 'half'")
        .contains("  dropped, not-a-number: series 'mem': value NaN: 'mem NaN 1772366401'")
        .contains("  dropped, too-far-in-the-future: series 'disk': time 2026-03-01T13:23:20Z is")
        .contains("points      2 would be stored; 2 to 3 per record")
        .contains("dropped     1, unreadable")
        .contains("keys        none")
        .contains("'cpu.user;host=a' in [0, 1]: not keyed: true; merge.sources=true")
        .contains("times       1 s to 3 s before their record was written")
        .contains("  all records are graphite: set format: graphite");
  }

  @Test
  void shouldRecogniseKeysThatEqualATag() throws Exception {
    for (int n = 0; n < 3; n++) {
      send(0, "web01", line("cpu;host=web01", n, n));
      send(1, "web02", line("cpu;host=web02", n, n));
    }
    JsonNode summary = json().get("summary");
    assertThat(summary.get("key_equals").toString()).isEqualTo("[\"tag host\"]");
    assertThat(summary.get("distinct_keys").asInt()).isEqualTo(2);
    assertThat(summary.get("series_in_several_partitions").asInt()).isZero();
    assertThat(summary.get("series_in_several_records").asInt()).isEqualTo(2);
    check();
    assertThat(out)
        .contains("keys        equal to tag host of their series, 2 different")
        .contains(
            "each of the 2 series in more than one record stays in one partition: keyed: true");
    check("--template=host.measurement");
    assertThat(out)
        .contains("keys        equal to node 1 of the path of their series, 2 different");
  }

  @Test
  void shouldReadFromTheGivenStart() throws Exception {
    for (int n = 0; n < 6; n++) {
      send(0, null, line("a", n, n));
    }
    send(1, null, line("b", 1, 0));
    assertThat(offsets("--records", "3")).isEqualTo("0/4 0/5 1/0 ");
    assertThat(offsets("--records", "3", "--from", "earliest")).isEqualTo("0/0 0/1 1/0 ");
    assertThat(offsets("--records", "2", "--from", "0:3")).isEqualTo("0/3 0/4 ");
    assertThat(offsets("--from", "2026-03-01T12:00:03Z")).hasSize(7 * "0/0 ".length());
    assertThat(check("--from", "2:0")).isEqualTo(1);
    assertThat(err).contains("has no partition 2, only 0 to 1 (--from)");
  }

  private String offsets(String... more) throws IOException {
    StringBuilder positions = new StringBuilder();
    for (JsonNode record : json(more).get("records")) {
      positions
          .append(record.get("partition"))
          .append('/')
          .append(record.get("offset"))
          .append(' ');
    }
    return positions.toString();
  }

  @Test
  void shouldNameSeriesByTheSettingsOrTheOptions() throws Exception {
    send(0, null, line("cpu;pod=x;node=a", 1, 0));
    Path sources =
        Files.writeString(
            dir.resolve(topic + ".yaml"),
            "sources: [{pattern: '%s.*', format: graphite, prefix: own}]"
                .formatted(kafka.source("metrics")));
    assertThat(ident("--sources", sources.toString())).isEqualTo("own.cpu;node=a;pod=x");
    assertThat(
            ident(
                "--sources=" + sources,
                "--drop-label=p.d",
                "--rename-label=node=host",
                "--template=host.measurement"))
        .isEqualTo("a.cpu");
    assertThat(ident()).isEqualTo("cpu;node=a;pod=x");
  }

  private String ident(String... more) throws IOException {
    return json(more).at("/records/0/points/0/ident").asText();
  }

  @Test
  void shouldReportSeriesWithoutAPolicy() throws Exception {
    send(0, null, line("cpu", 1, 0));
    Path policies =
        Files.writeString(
            dir.resolve(topic + "-policies.yaml"),
            "policies: [{name: servers, match: ^srv, step: 10s, archives: ['max:10s:1h']}]");
    assertThat(check("--policies=" + policies)).isEqualTo(1);
    assertThat(out)
        .contains("dropped, no-policy: series 'cpu': no policy covers the series (policies.file)")
        .contains("series without a policy are not stored");
    assertThat(
            json("--policies=" + policies, "--policy=servers").at("/records/0/points/0").toString())
        .contains("\"policy\":\"servers\",\"archives\":[\"max:10s:1h\"]");
  }

  @Test
  void shouldReportAnEmptyTopic() {
    assertThat(check()).isEqualTo(1);
    assertThat(err)
        .contains("topic '" + topic + "' has no such record; waiting up to 10 s for one ...")
        .contains("topic '" + topic + "' has no records to read");
  }

  @Test
  void shouldNameTheNearestTopicIfOneIsNear() {
    assertThat(errorOf(topic + "x"))
        .isEqualTo(
            "rondo: topic '%sx' does not exist: did you mean '%1$s'? (--topic)\n".formatted(topic));
    assertThat(errorOf("elsewhere"))
        .isEqualTo(
            "rondo: topic 'elsewhere' does not exist; ./rondo check source --all lists those with"
                + " points (--topic)\n");
  }

  private String errorOf(String wrongTopic) {
    List<String> arguments = List.of("source", "--topic", wrongTopic, "--kafka", kafka.bootstrap());
    var stderr = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(stderr, true, UTF_8));
    try {
      int code = Commands.commandLine(new CheckCommand()).execute(arguments.toArray(String[]::new));
      assertThat(code).isEqualTo(1);
    } finally {
      System.setErr(before);
    }
    return stderr.toString(UTF_8);
  }
}
