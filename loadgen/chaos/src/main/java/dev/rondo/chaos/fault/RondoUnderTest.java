package dev.rondo.chaos.fault;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rondo.chaos.load.LoadOptions;
import dev.rondo.chaos.load.SourceTopics;
import dev.rondo.chaos.part.Clocks;
import dev.rondo.chaos.part.FinestSlots;
import dev.rondo.chaos.part.LinkedInstallation;
import dev.rondo.chaos.part.ManagedTarget;
import dev.rondo.chaos.part.Metrics;
import dev.rondo.chaos.part.Part;
import dev.rondo.chaos.part.SecondParts;
import dev.rondo.chaos.part.SupervisedTarget;
import dev.rondo.chaos.part.Target;
import dev.rondo.chaos.postgres.Database;
import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.embedded.FileTree;
import dev.rondo.embedded.FreePort;
import dev.rondo.embedded.KafkaCluster;
import dev.rondo.harness.LocalRondo;
import dev.rondo.harness.RondoCli;
import dev.rondo.harness.SeriesLimits;
import dev.rondo.schemas.TopicNames;
import dev.rondo.schemas.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;

/** A Rondo started by {@code ./rondo up}, with a second instance of some parts. */
public final class RondoUnderTest implements AutoCloseable {
  /** Time for all parts to answer, after a start or a fault. */
  static final Duration READY_BOUND = Duration.ofMinutes(5);

  private static final Duration MOVE_BOUND = Duration.ofMinutes(3);
  private static final Duration LOOK = Duration.ofMillis(250);

  private final RondoCli cli;
  private final LocalRondo rondo;
  private final Path other;
  private final int secondPort;
  private final Map<Part, Target> targets = new EnumMap<>(Part.class);
  private final Map<Part, Path> versions = new EnumMap<>(Part.class);
  private final Set<Part> stopped = Collections.synchronizedSet(EnumSet.noneOf(Part.class));

  private final PolicyVersions policies;
  private final Replays replays;
  private long tooFarAheadBefore;
  private boolean isRemoved;

  private RondoUnderTest(
      RondoCli cli,
      LocalRondo rondo,
      Path other,
      int secondPort,
      PolicyVersions policies,
      Replays replays) {
    this.policies = policies;
    this.replays = replays;
    this.cli = cli;
    this.rondo = rondo;
    this.other = other;
    this.secondPort = secondPort;
  }

  /**
   * Starts all parts and waits until they answer.
   *
   * @param upOptions options for {@code ./rondo up}
   * @param load determines the topics
   * @param other another installation for replaced parts; or null
   * @param brokers three form a cluster that chaos starts; one is the broker of {@code ./rondo up}
   */
  public static RondoUnderTest start(
      RondoCli cli,
      List<String> upOptions,
      List<Scenario> scenarios,
      LoadOptions load,
      Path other,
      int brokers)
      throws IOException, InterruptedException, ExecutionException {
    boolean hasTopics = scenarios.stream().anyMatch(Scenario::hasTopics);
    boolean hasPattern = hasTopics && !isGiven("--sources=", upOptions);
    boolean explodes = scenarios.contains(Scenario.EXPLODE);
    Path sources = cli.dir().resolve("sources.yaml");
    if (hasPattern) {
      Files.writeString(sources, SourceTopics.sources(explodes, false));
    }
    var policies = new PolicyVersions(cli, load.seed());
    var limits = new SeriesLimits(load.series());
    if (scenarios.contains(Scenario.POLICIES)) {
      policies.begin();
    } else if (!isGiven("--policies=", upOptions)) {
      String yaml = explodes ? SourceTopics.EXPLODING_POLICIES : SourceTopics.POLICIES;
      Files.writeString(cli.dir().resolve("policies.yaml"), limits.policies(yaml));
    }
    Files.writeString(cli.dir().resolve("topology.properties"), limits.topologySettings());
    LinkedInstallation linked =
        other == null ? null : LinkedInstallation.of(cli.root(), cli.dir().resolve("installation"));
    List<String> options = new ArrayList<>(upOptions);
    Map<Part, ManagedTarget> cluster = new EnumMap<>(Part.class);
    if (brokers > 1) {
      var kafka = new KafkaCluster(cli.dir(), brokers);
      cluster.putAll(startBrokers(cli, kafka));
      options.add("--kafka=" + kafka.bootstrap());
    }
    Path root = linked == null ? cli.root() : linked.root();
    var clocks = new Clocks(cli.dir());
    boolean haveClocks = scenarios.contains(Scenario.CLOCKS);
    Map<String, String> environment = haveClocks ? clocks.environment() : Map.of();
    Map<String, String> ofCommands = haveClocks ? clocks.environmentOfCommands() : Map.of();
    LocalRondo rondo = LocalRondo.up(new RondoCli(root, cli.dir(), environment), options);
    var replays = new Replays(new RondoCli(cli.root(), cli.dir(), ofCommands), load.seed());
    var started = new RondoUnderTest(cli, rondo, other, FreePort.choose(), policies, replays);
    started.targets.putAll(cluster);
    for (Part part : Part.usual()) {
      if (part.supervised() != null && !cluster.containsKey(part)) {
        started.targets.put(part, new SupervisedTarget(rondo, part.supervised(), linked));
      }
    }
    if (hasPattern) {
      started.topics().create(load.timestampTypes(), load.partitions());
      started.readFrom(sources, SourceTopics.sources(explodes, true));
    }
    started.addSecond(scenarios.stream().anyMatch(each -> each.parts().contains(Part.CONNECT_2)));
    started.awaitReady();
    return started;
  }

  private static Map<Part, ManagedTarget> startBrokers(RondoCli cli, KafkaCluster kafka)
      throws InterruptedException {
    Map<Part, ManagedTarget> brokers = new EnumMap<>(Part.class);
    for (Part part : Part.brokers()) {
      int node = brokers.size() + 1;
      brokers.put(
          part,
          ManagedTarget.start(
              part, cli.root(), cli.dir(), (root, launch) -> kafka.start(node, launch)));
    }
    awaitReady(brokers);
    return brokers;
  }

  private static boolean isGiven(String option, List<String> options) {
    return options.stream().anyMatch(given -> given.startsWith(option));
  }

  private void addSecond(boolean hasWorker) {
    var second = new SecondParts(cli.dir());
    add(Part.TOPOLOGY_2, second.topology(secondPort));
    if (hasWorker) {
      add(Part.CONNECT_2, second::connect);
    }
  }

  private void add(Part part, ManagedTarget.Starter starter) {
    targets.put(part, ManagedTarget.start(part, cli.root(), cli.dir(), starter));
  }

  /** Restarts the topology with a pattern source, now that topics match it. */
  private void readFrom(Path file, String sources) throws IOException, InterruptedException {
    target(Part.TOPOLOGY).stop();
    Files.writeString(file, sources);
    target(Part.TOPOLOGY).start();
  }

  public RondoCli cli() {
    return cli;
  }

  /** The versions of the policies that are applied. */
  public PolicyVersions policies() {
    return policies;
  }

  /** The backfills that run meanwhile. */
  public Replays replays() {
    return replays;
  }

  public PostgresUrl postgres() {
    return PostgresUrl.parse(rondo.address("postgres"));
  }

  public LocalRondo local() {
    return rondo;
  }

  public Target target(Part part) {
    return targets.get(part);
  }

  /** All parts that are not stopped on purpose. */
  Map<Part, Target> wanted() {
    Map<Part, Target> wanted = new EnumMap<>(targets);
    wanted.keySet().removeAll(stopped);
    return wanted;
  }

  /** Number of restarts of each part so far. */
  public Map<Part, Integer> restarts() {
    Map<Part, Integer> restarts = new EnumMap<>(Part.class);
    targets.forEach((part, target) -> restarts.put(part, target.restarts()));
    return restarts;
  }

  public String kafka() {
    return rondo.address("kafka");
  }

  private TopicNames names() {
    return TopicNames.of(rondo.address("prefix"));
  }

  /** Consumer group of the topology: its {@code application.id}. */
  public String topologyGroup() {
    return names().prefix();
  }

  /** The topic between decode and consolidate. */
  public String bySeries() {
    return topologyGroup() + "-by-series-repartition";
  }

  /** Consumer group of the sink. */
  public String sinkGroup() {
    return "connect-" + names().connector();
  }

  /** The topics that the sink reads. */
  public List<String> sinkTopics() {
    return Stream.of(Topics.SERIES, Topics.BUNDLE_ROWS, Topics.EVENTS)
        .map(topic -> names().of(topic).name())
        .toList();
  }

  /** The topics that loads write to. */
  public SourceTopics topics() {
    return new SourceTopics(kafka());
  }

  /** Slots as they become readable in PostgreSQL. */
  public FinestSlots finestSlots() {
    return new FinestSlots(postgres());
  }

  Database database() {
    Path log = cli.dir().resolve("logs/postgres-successor.log");
    return new Database(cli.dir().resolve("postgres"), postgres(), log);
  }

  /** HTTP address of an instance of the topology. */
  public String url(Part part) {
    return part == Part.TOPOLOGY ? rondo.address("topology") : "http://127.0.0.1:" + secondPort;
  }

  /** The instances of the topology that are not stopped on purpose. */
  public List<Part> topologies() {
    return wanted().keySet().stream().filter(Part::isTopology).toList();
  }

  /** Counters of an instance of the topology. */
  public Metrics metrics(Part part) throws IOException, InterruptedException {
    return Metrics.read(url(part));
  }

  /** Records of a source that Kafka deleted before they were read, as the instances count them. */
  long lostRecords(String source) throws IOException, InterruptedException {
    long lost = 0;
    for (Part part : topologies()) {
      lost += Metrics.lostRecords(url(part), source);
    }
    return lost;
  }

  /** Waits until so many records of a source, or more, are counted as lost. */
  void awaitLost(String source, long records) throws IOException, InterruptedException {
    long began = System.nanoTime();
    for (long lost = lostRecords(source); lost < records; lost = lostRecords(source)) {
      if (System.nanoTime() - began > MOVE_BOUND.toNanos()) {
        throw new IllegalStateException(
            "%d records of %s were deleted before they were read, and %d are counted as lost after %d s"
                .formatted(records, source, lost, MOVE_BOUND.toSeconds()));
      }
      Thread.sleep(LOOK.toMillis());
    }
  }

  /** Waits until the topology has read a source to its end. */
  void awaitRead(String source) throws InterruptedException, ExecutionException {
    long began = System.nanoTime();
    try (var backlog = new Backlog(kafka(), topologyGroup(), List.of(source))) {
      for (long left = backlog.offsets(); left > 0; left = backlog.offsets()) {
        if (System.nanoTime() - began > MOVE_BOUND.toNanos()) {
          throw new IllegalStateException(
              "the topology has not read %d records of %s after %d s"
                  .formatted(left, source, MOVE_BOUND.toSeconds()));
        }
        Thread.sleep(LOOK.toMillis());
      }
    }
  }

  /** The series whose points an instance of the topology dropped last for a reason. */
  public JsonNode lastDropped(Part part, String reason) throws IOException, InterruptedException {
    return Metrics.lastDropped(url(part), reason);
  }

  /** Slots too far ahead of the clock that all instances of the topology have counted so far. */
  public long tooFarAhead() throws IOException, InterruptedException {
    long count = tooFarAheadBefore;
    for (Part part : topologies()) {
      count += metrics(part).tooFarAhead();
    }
    return count;
  }

  /** Shuts parts down cleanly and waits for their end. */
  public void stop(List<Part> parts) throws IOException, InterruptedException {
    stopped.addAll(parts);
    for (Part part : parts) {
      if (part.isTopology() && target(part).isReady()) {
        tooFarAheadBefore += metrics(part).tooFarAhead();
      }
      target(part).stop();
    }
  }

  public void start(List<Part> parts) throws IOException, InterruptedException {
    for (Part part : parts) {
      target(part).start();
    }
    stopped.removeAll(parts);
  }

  /** Starts all stopped parts and waits until they answer. */
  public void startStopped() throws IOException, InterruptedException {
    start(List.copyOf(stopped));
    awaitReady();
  }

  /**
   * Waits until all parts answer.
   *
   * @throws IllegalStateException if one does not within {@link #READY_BOUND}
   */
  public void awaitReady() throws InterruptedException {
    awaitReady(targets);
  }

  private static void awaitReady(Map<Part, ? extends Target> awaited) throws InterruptedException {
    long began = System.nanoTime();
    while (!awaited.values().stream().allMatch(Target::isReady)) {
      if (System.nanoTime() - began > READY_BOUND.toNanos()) {
        throw notReady(
            awaited.keySet().stream().filter(part -> !awaited.get(part).isReady()).toList());
      }
      Thread.sleep(LOOK.toMillis());
    }
  }

  static IllegalStateException notReady(List<Part> parts) {
    return new IllegalStateException(
        "not ready within %d s: %s; see their logs in DIR/logs"
            .formatted(READY_BOUND.toSeconds(), parts.stream().map(Part::label).toList()));
  }

  /** Switches a part to the other installation, or back, from its next start on. */
  void changeVersion(Part part) throws IOException {
    if (other == null) {
      return;
    }
    Path next = other.equals(versions.get(part)) ? cli.root() : other;
    target(part).install(next);
    versions.put(part, next);
  }

  /** Waits until exactly the wanted instances of the topology share the partitions. */
  void awaitMoved() throws InterruptedException, ExecutionException {
    int wanted = topologies().size();
    long began = System.nanoTime();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka()))) {
      while (!hasMoved(admin, wanted)) {
        if (System.nanoTime() - began > MOVE_BOUND.toNanos()) {
          throw new IllegalStateException(
              "%d instances of the topology did not share its partitions within %d s"
                  .formatted(wanted, MOVE_BOUND.toSeconds()));
        }
        Thread.sleep(LOOK.toMillis());
      }
    }
  }

  private boolean hasMoved(Admin admin, int wanted)
      throws InterruptedException, ExecutionException {
    String group = topologyGroup();
    String bySeries = bySeries();
    var members =
        admin.describeConsumerGroups(List.of(group)).describedGroups().get(group).get().members();
    Map<String, Long> consolidated = new HashMap<>();
    for (var member : members) {
      long partitions =
          member.assignment().topicPartitions().stream()
              .filter(partition -> partition.topic().equals(bySeries))
              .count();
      consolidated.put(member.consumerId(), partitions);
    }
    boolean areReady = topologies().stream().allMatch(part -> target(part).isReady());
    return areReady && members.size() == wanted && !consolidated.containsValue(0L);
  }

  /** Removes its data at the end. */
  public void removeAtEnd() {
    isRemoved = true;
  }

  /**
   * Ends all parts, the brokers of a cluster last: the others need them for a clean shutdown, and
   * they write to the folder until then. A Rondo that is kept continues without the second
   * instances.
   */
  @Override
  public void close() {
    closeManaged(part -> !Part.brokers().contains(part));
    rondo.close();
    closeManaged(Part.brokers()::contains);
    if (isRemoved) {
      remove(cli.dir());
    }
  }

  private static void remove(Path folder) {
    try {
      FileTree.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("could not remove " + folder, e);
    }
  }

  private void closeManaged(Predicate<Part> which) {
    targets.forEach(
        (part, target) -> {
          if (which.test(part) && target instanceof ManagedTarget own) {
            own.close();
          }
        });
  }
}
