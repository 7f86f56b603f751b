package dev.rondo.tools.check.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.NewTopics;
import dev.rondo.formats.RecordLimits;
import dev.rondo.formats.catalog.Format;
import dev.rondo.tools.check.CheckCommand;
import dev.rondo.tools.command.Commands;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.source.InternalTopics;
import dev.rondo.topology.source.SourceDefaults;
import dev.rondo.topology.source.SourceRules;
import dev.rondo.topology.source.SourcesFile;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code --all} on a real broker with many topics, one of which may not be read. */
@Tag("long")
class ClusterCheckIT {
  private static final int TOPICS = 40;
  private static final int PARTITIONS = 6;
  private static final int HOSTS = 10;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path dir;

  private static KafkaBroker kafka;
  private static Admin admin;

  @BeforeAll
  static void start() throws Exception {
    kafka =
        KafkaBroker.start(
            dir.resolve("kafka"),
            0,
            Map.of(
                "authorizer.class.name",
                "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                "allow.everyone.if.no.acl.found",
                "true"));
    admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()));
    List<String> names = new ArrayList<>(List.of("orders", "empty", "unkeyed", "rondo.series"));
    names.addAll(List.of("app-store-changelog", "secret"));
    for (int n = 0; n < TOPICS; n++) {
      names.add("metrics." + n);
    }
    NewTopics.create(admin, names.stream().map(ClusterCheckIT::topic).toList());
    awaitLeaders(names);
    send();
    deny("secret");
  }

  private static NewTopic topic(String name) {
    return new NewTopic(name, PARTITIONS, (short) 1);
  }

  /** A record sent before may wait until its producer gives it up. */
  private static void awaitLeaders(List<String> names) throws Exception {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (String name : names) {
      for (int n = 0; n < PARTITIONS; n++) {
        ends.put(new TopicPartition(name, n), OffsetSpec.latest());
      }
    }
    await()
        .atMost(Duration.ofMinutes(3))
        .ignoreExceptions()
        .until(() -> admin.listOffsets(ends).all().get().size() == ends.size());
  }

  private static void send() throws Exception {
    List<ProducerRecord<String, String>> records = new ArrayList<>();
    long nowS = System.currentTimeMillis() / 1000;
    for (long atS = nowS - 30; atS < nowS; atS += 10) {
      for (int host = 0; host < HOSTS; host++) {
        for (int n = 0; n < TOPICS; n++) {
          String line = "cpu%d;host=h%d 1 %d".formatted(n, host, atS);
          records.add(new ProducerRecord<>("metrics." + n, "h" + host, line));
        }
        String line = "mem,host=h%d used=1 %d".formatted(host, atS * 1000);
        records.add(new ProducerRecord<>("unkeyed", line));
        records.add(new ProducerRecord<>("orders", "{\"order\": %d}".formatted(host)));
        records.add(new ProducerRecord<>("secret", line));
      }
    }
    Map<String, Object> config = Map.of("bootstrap.servers", kafka.bootstrap());
    try (var producer =
        new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
      for (Future<?> sent : records.stream().map(producer::send).toList()) {
        sent.get();
      }
    }
  }

  private static void deny(String topic) throws Exception {
    admin
        .createAcls(
            List.of(
                acl(topic, AclOperation.DESCRIBE, AclPermissionType.ALLOW),
                acl(topic, AclOperation.READ, AclPermissionType.DENY)))
        .all()
        .get();
    await()
        .atMost(Duration.ofMinutes(3))
        .until(() -> json("--topics=secret").at("/others/0/reason").asText().equals("unreadable"));
  }

  private static AclBinding acl(String topic, AclOperation operation, AclPermissionType type) {
    return new AclBinding(
        new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
        new AccessControlEntry("User:ANONYMOUS", "*", operation, type));
  }

  @AfterAll
  static void stop() {
    admin.close();
    kafka.close();
  }

  private static String check(String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("source", "--all", "--kafka", kafka.bootstrap()));
    arguments.addAll(List.of(more));
    var printed = new StringWriter();
    CommandLine command = Commands.commandLine(new CheckCommand()).setOut(new PrintWriter(printed));
    command.execute(arguments.toArray(String[]::new));
    return printed.toString();
  }

  private static JsonNode json(String... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.add("--json");
    return new ObjectMapper().readTree(check(arguments.toArray(String[]::new)));
  }

  @Test
  void shouldProposeSourcesThatTheTopologyReads() throws Exception {
    Path file = dir.resolve("sources.yaml");
    assertThat(check("--output=" + file)).isEmpty();
    var defaults =
        new SourceDefaults(
            InternalTopics.DEFAULT,
            1024,
            64,
            RecordLimits.DEFAULT,
            PoliciesFile.parse(Policies.DEFAULT_YAML));
    SourceRules rules = new SourcesFile(defaults).read(file);
    assertThat(rules.named(true)).hasSize(TOPICS).contains("metrics.0");
    assertThat(rules.named(false)).containsExactly("unkeyed");
    assertThat(rules.of("unkeyed").orElseThrow().format()).isEqualTo(Format.INFLUX);
    assertThat(Files.readString(file))
        .contains("# Without records:\n#   empty\n")
        .contains("# No points would be stored:\n#   orders: unreadable: ")
        .contains("# No right to read, which needs the ACL operation READ:\n#   secret\n")
        .contains("2 of Rondo, Kafka and Kafka Streams are left out")
        .contains("keyed: true  # the key equals tag host")
        .contains("    time.unit: ms\n    keyed: false  # no record has a key");
  }

  @Test
  void shouldEstimateWhatASourceNeeds() throws Exception {
    JsonNode one = json("--topics=metrics.7").get("sources");
    assertThat(one.size()).isEqualTo(1);
    assertThat(one.at("/0/series").asInt()).isEqualTo(HOSTS);
    assertThat(one.at("/0/points_per_second").asDouble()).isEqualTo(3.0 * HOSTS / 600);
    assertThat(one.at("/0/timestamp_type").asText()).isEqualTo("CreateTime");
    assertThat(one.at("/0/disk_bytes").asDouble()).isPositive();
  }

  /** By default, Kafka takes records an hour ahead; the topology takes ten minutes. */
  @Test
  void shouldTellHowFarRecordsMayBeAhead() throws Exception {
    String bounded = "--topics=unkeyed|metrics[.]7";
    admin
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.TOPIC, "unkeyed"),
                List.of(
                    new AlterConfigOp(
                        new ConfigEntry("message.timestamp.after.max.ms", "60000"),
                        AlterConfigOp.OpType.SET))))
        .all()
        .get();
    assertThat(check(bounded).lines().filter(line -> line.contains("ahead of the broker")))
        .singleElement()
        .asString()
        .startsWith("  # topic 'metrics.7' accepts record times up to 1h ahead of the broker");
    JsonNode sources = json(bounded).get("sources");
    assertThat(sources.at("/0/hints/0").asText())
        .contains("--entity-name metrics.7 --add-config message.timestamp.after.max.ms=300000");
    assertThat(sources.at("/1/hints")).isEmpty();
  }

  @Test
  void shouldLeaveOutTheSourcesOfTheSettings() throws Exception {
    Path sources =
        Files.writeString(dir.resolve("own.yaml"), "sources: [{pattern: 'metrics[.].*'}]");
    JsonNode all = json("--sources=" + sources);
    assertThat(all.get("sources").findValuesAsText("topic")).containsExactly("unkeyed");
    assertThat(all.get("others").findValuesAsText("reason").stream().filter("configured"::equals))
        .hasSize(TOPICS);
  }
}
