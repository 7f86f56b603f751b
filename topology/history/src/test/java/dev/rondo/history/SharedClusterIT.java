package dev.rondo.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.NewTopics;
import dev.rondo.embedded.TopologyProcess;
import dev.rondo.history.replay.Replays;
import dev.rondo.schemas.Topics;
import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import dev.rondo.tools.series.SeriesCommand;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.topics.RondoTopics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Rondos that share a cluster and a source, and whose prefixes begin alike: what a command does to
 * one changes nothing of the others. The topics of one are created by hand.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedClusterIT {
  private static final String CHANGED = "rondo";
  private static final String BY_HAND = "rondo.test";
  private static final List<String> PREFIXES = List.of(CHANGED, "rondo-test", BY_HAND);
  private static final List<String> IDENTS = List.of("app.a", "app.b", "db.c");
  private static final int PARTITIONS = 2;
  private static final Duration BOUND = Duration.ofMinutes(3);

  /** A line that says how to create a missing topic. */
  private static final Pattern CREATE =
      Pattern.compile("kafka-topics.sh --create --topic (\\S+) --partitions (\\d+)(.*)");

  private static final Pattern CONFIG = Pattern.compile("--config (\\S+)=(\\S+)");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path dir;

  private final long beginS = System.currentTimeMillis() / 1000 - 600;
  private final Map<String, TopologyProcess> topologies = new LinkedHashMap<>();
  private KafkaBroker kafka;
  private Admin admin;
  private Set<String> createdByHand;

  @BeforeAll
  void start() throws Exception {
    kafka = KafkaBroker.start(dir.resolve("kafka"), 0);
    admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()));
    for (String prefix : PREFIXES) {
      Path folder = Files.createDirectories(dir.resolve(prefix));
      topologies.put(
          prefix,
          new TopologyProcess(folder, kafka.bootstrap())
              .heap("128m")
              .set("rondo.prefix", prefix)
              .set("sources", "points=graphite")
              .set("partitions", PARTITIONS)
              .set("policies.file", policies(prefix)));
    }
    topologies.get(CHANGED).start(); // creates points
    createByHand(topologies.get(BY_HAND).set("topics.create", false).settings());
    for (TopologyProcess other : topologies.values()) {
      if (other != topologies.get(CHANGED)) {
        other.launch();
      }
    }
    send("not a point");
    for (int n = 0; n < IDENTS.size(); n++) {
      for (int s = 0; s < 5; s++) {
        send("%s %d %d".formatted(IDENTS.get(n), n, beginS + s));
      }
    }
    for (String prefix : PREFIXES) {
      await()
          .atMost(BOUND)
          .untilAsserted(
              () -> {
                assertThat(series(prefix)).isEqualTo(Set.copyOf(IDENTS));
                assertThat(ends(prefix).get("bundle-rows")).isPositive();
                assertThat(ends(prefix).get("dead-letters")).isPositive();
              });
    }
  }

  @AfterAll
  void stop() {
    topologies.values().forEach(TopologyProcess::close);
    admin.close();
    kafka.close();
  }

  /** With a policy that has the name of its Rondo. */
  private static Path policies(String prefix) throws IOException {
    return Files.writeString(
        dir.resolve(prefix + ".yaml"),
        """
        policies:
          - {name: %s, match: '.*', step: 1s, heartbeat: 1h, archives: ["1s:2h"]}
        """
            .formatted(prefix));
  }

  /** Creates topics as the error says, until there is none. */
  private void createByHand(Path settings) throws Exception {
    TopologyConfig config = TopologyConfig.read(Optional.of(settings), Map.of());
    var difference = catchThrowable(() -> RondoTopics.create(admin, config, config.sources(admin)));
    assertThat(difference).isInstanceOf(ConfigException.class);
    List<NewTopic> topics =
        CREATE.matcher(difference.getMessage()).results().map(SharedClusterIT::topic).toList();
    assertThat(difference.getMessage().lines()).hasSize(topics.size() + 1);
    NewTopics.create(admin, topics);
    createdByHand = topics.stream().map(NewTopic::name).collect(Collectors.toSet());
  }

  private static NewTopic topic(MatchResult line) {
    Map<String, String> configs =
        CONFIG
            .matcher(line.group(3))
            .results()
            .collect(Collectors.toMap(config -> config.group(1), config -> config.group(2)));
    return new NewTopic(
            line.group(1), Optional.of(Integer.parseInt(line.group(2))), Optional.empty())
        .configs(configs);
  }

  private void send(String text) throws Exception {
    Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrap());
    try (Producer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>("points", text)).get();
    }
  }

  @Test
  void shouldNameEverythingByThePrefix() throws Exception {
    Set<String> topics = new TreeSet<>(admin.listTopics().names().get());
    topics.remove("points");
    for (String prefix : PREFIXES) {
      Set<String> own = ofRondo(prefix, topics);
      assertThat(own).hasSameSizeAs(createdByHand);
      topics.removeAll(own);
    }
    assertThat(topics).isEmpty();
    assertThat(ofRondo(BY_HAND, admin.listTopics().names().get()))
        .as("neither Rondo nor Kafka Streams created any")
        .isEqualTo(createdByHand);
    assertThat(admin.listGroups().all().get().stream().map(GroupListing::groupId))
        .containsExactlyInAnyOrderElementsOf(PREFIXES);
    assertThat(
            admin.listTransactions().all().get().stream().map(TransactionListing::transactionalId))
        .as("PREFIX-INSTANCE-THREAD")
        .contains("rondo-1-1", "rondo-test-1-1", "rondo.test-1-1");
  }

  /** The topics {@code PREFIX.name} and {@code PREFIX-store-changelog}. */
  private static Set<String> ofRondo(String prefix, Set<String> topics) {
    Set<String> own = new HashSet<>();
    Topics.OWN.forEach(topic -> own.add(topic.name().replaceFirst("rondo", prefix)));
    topics.stream()
        .filter(
            topic -> topic.matches(Pattern.quote(prefix) + "-(?!test-).*-(changelog|repartition)"))
        .forEach(own::add);
    return own;
  }

  @Test
  void shouldChangeOneRondoOnly() throws Exception {
    Map<String, Map<String, Long>> before = new HashMap<>();
    for (String prefix : PREFIXES) {
      assertThat(run(prefix, Commands.commandLine(new PoliciesCommand()), "show").printed())
          .startsWith("# version 1, ")
          .endsWith(Files.readString(policies(prefix)));
      assertThat(run(prefix, Commands.commandLine(new SeriesCommand()), "list", "**").printed())
          .contains(" " + prefix + " ");
      before.put(prefix, withoutRows(ends(prefix)));
    }

    Path changed =
        Files.writeString(
            dir.resolve("changed.yaml"),
            Files.readString(policies(CHANGED)).replace("1s:2h", "1s:3h"));
    run(CHANGED, Commands.commandLine(new PoliciesCommand()), "apply", changed.toString());
    run(CHANGED, Commands.commandLine(new SeriesCommand()), "delete", "app.**", "--yes");
    topologies.get(CHANGED).close();
    Replays.toEarliest(topologies.get(CHANGED).settings(), "points");
    topologies.get(CHANGED).start();
    await().atMost(BOUND).until(() -> topologies.get(CHANGED).dropped("deleted") == 10);

    assertThat(series(CHANGED)).containsExactly("db.c");
    for (String prefix : PREFIXES.subList(1, PREFIXES.size())) {
      assertThat(withoutRows(ends(prefix))).as(prefix).isEqualTo(before.get(prefix));
      assertThat(series(prefix)).isEqualTo(Set.copyOf(IDENTS));
      assertThat(topologies.get(prefix).metric("rondo_consolidate_deleted_total")).isZero();
    }
  }

  private CommandRun run(String prefix, CommandLine command, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--config=" + topologies.get(prefix).settings());
    CommandRun run = CommandRun.of(command, all.toArray(String[]::new));
    assertThat(run.code()).as("%s: %s", all, run.errors()).isZero();
    return run;
  }

  private Set<String> series(String prefix) {
    return IDENTS.stream()
        .filter(
            run(prefix, Commands.commandLine(new SeriesCommand()), "list", "**").printed()
                ::contains)
        .collect(Collectors.toSet());
  }

  /** Open slots may be emitted at any time. */
  private static Map<String, Long> withoutRows(Map<String, Long> ends) {
    ends.remove("bundle-rows");
    return ends;
  }

  /**
   * Number of records that its own topics have had, by the part of their names after the prefix.
   */
  private Map<String, Long> ends(String prefix) throws Exception {
    Map<String, Long> ends = new HashMap<>();
    for (var topic : Topics.OWN) {
      String suffix = topic.name().replaceFirst("rondo\\.", "");
      String name = prefix + "." + suffix;
      int partitions =
          admin.describeTopics(List.of(name)).allTopicNames().get().get(name).partitions().size();
      Map<TopicPartition, OffsetSpec> question =
          IntStream.range(0, partitions)
              .mapToObj(partition -> new TopicPartition(name, partition))
              .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
      ends.put(
          suffix,
          admin.listOffsets(question).all().get().values().stream()
              .mapToLong(end -> end.offset())
              .sum());
    }
    return ends;
  }
}
