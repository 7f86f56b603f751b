package dev.rondo.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.NewTopics;
import dev.rondo.embedded.TopologyProcess;
import dev.rondo.embedded.secured.RecordingAuthorizer;
import dev.rondo.embedded.secured.SecuredBroker;
import dev.rondo.history.replay.ReplayCommand;
import dev.rondo.tools.access.AccessCheck;
import dev.rondo.tools.check.CheckCommand;
import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import dev.rondo.tools.deadletters.DeadLettersCommand;
import dev.rondo.tools.series.SeriesCommand;
import dev.rondo.topology.access.Part;
import dev.rondo.topology.access.Right;
import dev.rondo.topology.access.Rights;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.policy.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** A broker that allows nothing but what is granted. The first test creates the topics. */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AccessIT {
  private static final Duration BOUND = Duration.ofMinutes(3);

  private static final String TOOLS = "administrator";

  /** Used only for dead letters of the sink, by {@code why}, or by a second replay. */
  private static final Set<String> IDLE_TOOLS =
      Set.of(
          "Read on topic rondo.bundle-rows",
          "Write on topic rondo.series",
          "Write on topic rondo.bundle-rows",
          "Read on topic rondo.replays");

  /** Used only after a replay, a deletion, or while points of several partitions are merged. */
  private static final Set<String> IDLE =
      Set.of(
          "Read on topic rondo.replays",
          "Write on topic rondo-deleted-changelog",
          "Write on topic rondo-merge-buffer-changelog");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path dir;

  private SecuredBroker kafka;
  private Admin superUser;
  private TopologyProcess topology;
  private TopologyConfig config;

  @BeforeAll
  void start() throws Exception {
    kafka =
        SecuredBroker.start(
            dir.resolve("kafka"),
            Map.of(
                "authorizer.class.name",
                RecordingAuthorizer.class.getName(),
                RecordingAuthorizer.FILE,
                dir.resolve("operations").toString(),
                "super.users",
                "User:ANONYMOUS"));
    kafka.addScramUsers(TOOLS);
    superUser = Admin.create(Map.of("bootstrap.servers", kafka.broker().bootstrap()));
    topology =
        new TopologyProcess(dir, kafka.scram().get("bootstrap.servers"))
            .set("kafka.config", clients(SecuredBroker.USER))
            .set("partitions", 2)
            .set("streams.repartition.purge.interval.ms", 1_000);
    config = TopologyConfig.read(Optional.of(topology.settings()), Map.of());
  }

  /** File with the settings of clients of a user. */
  private Path clients(String user) throws IOException {
    Properties settings = new Properties();
    settings.putAll(kafka.scram(user));
    Path file = dir.resolve(user + ".properties");
    try (var out = Files.newBufferedWriter(file)) {
      settings.store(out, null);
    }
    return file;
  }

  @AfterAll
  void stop() {
    topology.close();
    superUser.close();
    kafka.close();
  }

  @BeforeEach
  void revokeAll() throws Exception {
    superUser.deleteAcls(List.of(AclBindingFilter.ANY)).all().get();
    await()
        .atMost(BOUND)
        .until(() -> superUser.describeAcls(AclBindingFilter.ANY).values().get().isEmpty());
  }

  private void grant(Collection<Right> rights) throws Exception {
    grant(SecuredBroker.USER, rights);
  }

  private void grant(String user, Collection<Right> rights) throws Exception {
    superUser.createAcls(bindings(user, rights)).all().get();
    await()
        .atMost(BOUND)
        .until(
            () ->
                superUser.describeAcls(AclBindingFilter.ANY).values().get().size()
                    >= rights.size());
  }

  private void revoke(Right right) throws Exception {
    superUser
        .deleteAcls(
            bindings(SecuredBroker.USER, List.of(right)).stream()
                .map(AclBinding::toFilter)
                .toList())
        .all()
        .get();
  }

  private static List<AclBinding> bindings(String user, Collection<Right> rights) {
    return rights.stream()
        .map(
            right ->
                new AclBinding(
                    right.resource(),
                    new AccessControlEntry(
                        "User:" + user, "*", right.operation(), AclPermissionType.ALLOW)))
        .toList();
  }

  private CommandRun check(Part part) throws IOException {
    return CommandRun.of(
        Commands.commandLine(new CheckCommand()),
        "access",
        "--config",
        topology.settings().toString(),
        "--part",
        part.name().toLowerCase(Locale.ROOT));
  }

  /** On an empty cluster, and then on its own topics. */
  @Test
  @Order(1)
  void shouldRunTheTopologyWithItsRightsAndUseEach() throws Exception {
    List<Right> rights = Rights.of(config, Part.TOPOLOGY);
    grant(rights);
    topology.start();
    sendPoints();
    await()
        .atMost(BOUND)
        .until(
            () -> unused(SecuredBroker.USER, rights), unused -> unused.size() <= IDLE.size() + 1);
    topology.end();
    topology.start(); // reads recorded partition counts, of which there were none before
    await().atMost(BOUND).until(() -> IDLE.containsAll(unused(SecuredBroker.USER, rights)));
    topology.end();

    CommandRun check = check(Part.TOPOLOGY);

    assertThat(check.printed()).contains("%d rights, 0 missing, 0 not".formatted(rights.size()));
    assertThat(check.code()).isZero();
  }

  /** The rights of which no operation was recorded. */
  private List<String> unused(String user, Collection<Right> rights) throws IOException {
    List<String> operations = Files.readAllLines(dir.resolve("operations"));
    return rights.stream()
        .filter(
            right ->
                operations.stream()
                    .map(line -> line.split(" "))
                    .noneMatch(
                        used ->
                            used[0].equals(user)
                                && used[1].equals(right.operation().name())
                                && right.covers(ResourceType.valueOf(used[2]), used[3])))
        .map(Right::text)
        .toList();
  }

  private void sendPoints() throws Exception {
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", kafka.broker().bootstrap()),
            new StringSerializer(),
            new StringSerializer())) {
      long nowS = System.currentTimeMillis() / 1000;
      for (long s = nowS - 200; s < nowS; s += 5) {
        producer.send(new ProducerRecord<>("points", "a.b 1 " + s)).get();
      }
      producer.send(new ProducerRecord<>("points", "no format has this: \u0000")).get();
    }
  }

  /** On the topics of the first test. */
  @Test
  @Order(2)
  void shouldRunTheCommandsWithTheirRightsAndUseEach() throws Exception {
    List<Right> rights = Rights.of(config, Part.TOOLS);
    grant(TOOLS, rights);
    Path policies = dir.resolve("policies.yaml");
    Files.writeString(policies, Policies.DEFAULT_YAML.replace("heartbeat: 2m", "heartbeat: 3m"));

    run(Commands.commandLine(new CheckCommand()), "source", "--topic", "points");
    run(Commands.commandLine(new DeadLettersCommand()));
    run(Commands.commandLine(new DeadLettersCommand()), "resend");
    run(Commands.commandLine(new PoliciesCommand()), "show");
    run(Commands.commandLine(new PoliciesCommand()), "apply", policies.toString());
    run(Commands.commandLine(new SeriesCommand()), "list", "**");
    run(Commands.commandLine(new SeriesCommand()), "top");
    run(Commands.commandLine(new ReplayCommand()), "--topic", "points", "--to-earliest");
    grant(Rights.of(config, Part.TOPOLOGY));
    topology.start();
    run(Commands.commandLine(new SeriesCommand()), "delete", "**", "--yes");
    topology.end();

    List<String> unused = new ArrayList<>(unused(TOOLS, rights));
    unused.removeIf(right -> right.contains("rondo.replay-") || right.contains("rondo.backfill-"));
    assertThat(unused).as("but for jobs").containsExactlyInAnyOrderElementsOf(IDLE_TOOLS);
  }

  private void run(CommandLine command, String... arguments) throws IOException {
    CommandRun run = runAs(TOOLS, command, arguments);
    assertThat(run.code()).as(run.errors()).isZero();
  }

  private CommandRun runAs(String user, CommandLine command, String... arguments)
      throws IOException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--config", topology.settings().toString()));
    all.addAll(List.of("--kafka-config", clients(user).toString()));
    return CommandRun.of(command, all.toArray(String[]::new));
  }

  @Test
  @Order(3)
  void shouldNameAMissingRightOfACommand() throws Exception {
    List<Right> rights = new ArrayList<>(Rights.of(config, Part.TOOLS));
    rights.removeIf(right -> right.text().equals("Read on topic rondo.dead-letters"));
    grant(TOOLS, rights);

    CommandRun run = runAs(TOOLS, Commands.commandLine(new DeadLettersCommand()));

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.errors().lines()).hasSize(1);
    assertThat(run.errors()).contains("This command needs Read on topic rondo.dead-letters");
  }

  @ParameterizedTest
  @EnumSource(Part.class)
  @Order(4)
  void shouldNameEachMissingRight(Part part) throws Exception {
    List<Right> rights = Rights.of(config, part);
    createMissing(rights);
    grant(rights);
    try (Admin user = Admin.create(config.admin())) {
      await().atMost(BOUND).until(() -> missing(user, rights).isEmpty());
      for (Right right : rights.stream().filter(each -> !isOfLaterTopics(each)).toList()) {
        revoke(right);
        await().atMost(BOUND).until(() -> missing(user, rights), List.of(right)::equals);
        superUser.createAcls(bindings(SecuredBroker.USER, List.of(right))).all().get();
      }
    }
  }

  /** Whether it cannot be told: it is for topics that a job makes. */
  private static boolean isOfLaterTopics(Right right) {
    return right.resource().resourceType() == ResourceType.TOPIC
        && !right.isLiteral()
        && right.operation() != AclOperation.CREATE;
  }

  private List<Right> missing(Admin user, List<Right> rights) throws Exception {
    return AccessCheck.of(user, config, rights).missing();
  }

  private void createMissing(List<Right> rights) throws Exception {
    Set<String> names = new TreeSet<>();
    for (Right right : rights) {
      if (right.resource().resourceType() == ResourceType.TOPIC) {
        names.add(right.resource().name());
      }
    }
    names.removeAll(superUser.listTopics().names().get());
    List<NewTopic> topics = new ArrayList<>();
    names.forEach(name -> topics.add(new NewTopic(name, 1, (short) 1)));
    NewTopics.create(superUser, topics);
  }

  @Test
  @Order(5)
  void shouldPrintTheCommandThatGrantsAMissingRight() throws Exception {
    CommandRun check = check(Part.API);

    assertThat(check.code()).isEqualTo(1);
    assertThat(check.printed())
        .contains("api: 4 rights, 4 missing")
        .contains("missing: Write on topic rondo.series-requests")
        .contains(
            "--operation Write --topic 'rondo.series-requests' --resource-pattern-type literal");
  }

  @ParameterizedTest
  @CsvSource({
    "WRITE, rondo.bundle-rows, Write on topic rondo.bundle-rows",
    "READ, rondo, Read on group rondo",
    "WRITE, rondo-, Write on transactional id rondo-*",
  })
  @Order(6)
  void shouldNameAMissingRightAtRunTime(AclOperation operation, String resource, String named)
      throws Exception {
    List<Right> rights = new ArrayList<>(Rights.of(config, Part.TOPOLOGY));
    rights.removeIf(
        right -> right.operation() == operation && right.resource().name().equals(resource));
    grant(rights);
    topology.launch();

    int code = topology.awaitEnd();

    assertThat(code).isEqualTo(1);
    assertThat(Files.readString(dir.resolve("topology.log")))
        .contains("refused a request")
        .contains(named);
  }

  /** The only right on the topic, so that the topology may not even describe it without. */
  @Test
  @Order(7)
  void shouldReadTheOthersWhileItMayNotReadOneSource() throws Exception {
    NewTopics.create(superUser, List.of(new NewTopic("other", 1, (short) 1)));
    Path sources = dir.resolve("sources.yaml");
    Files.writeString(sources, "sources: [{topic: points}, {topic: other}]");
    topology.set("sources.file", sources);
    TopologyConfig both = TopologyConfig.read(Optional.of(topology.settings()), Map.of());
    List<Right> rights = new ArrayList<>(Rights.of(both, Part.TOPOLOGY));
    rights.removeIf(right -> right.text().equals("DescribeConfigs on topic other"));
    Right read =
        rights.stream()
            .filter(right -> right.text().equals("Read on topic other"))
            .findFirst()
            .orElseThrow();
    rights.remove(read);
    grant(rights);
    topology.start();
    awaitSetAside(true);

    grant(List.of(read));
    awaitSetAside(false);
    awaitDecoded("other");
    revoke(read);
    awaitSetAside(true);
    awaitDecoded("points");

    assertThat(Files.readString(dir.resolve("topology.log")))
        .contains("Source other is set aside: Kafka refuses to let the topology read it");
  }

  private void awaitSetAside(boolean isSetAside) {
    await()
        .atMost(BOUND)
        .until(
            () ->
                topology
                    .get("/metrics")
                    .lines()
                    .anyMatch(
                        line ->
                            line.startsWith("rondo_sources_set_aside{")
                                && line.contains("source=\"other\"")),
            is -> is == isSetAside);
  }

  private void awaitDecoded(String source) throws Exception {
    double before = topology.metric("rondo_decode_points_total");
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", kafka.broker().bootstrap()),
            new StringSerializer(),
            new StringSerializer())) {
      String point = "a.b 1 " + System.currentTimeMillis() / 1000;
      producer.send(new ProducerRecord<>(source, point)).get();
    }
    await()
        .atMost(BOUND)
        .until(() -> topology.metric("rondo_decode_points_total"), now -> now > before);
  }
}
