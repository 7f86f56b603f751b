package dev.rondo.chaos.fault;

import dev.rondo.chaos.load.LoadOptions;
import dev.rondo.chaos.load.SourceTopics;
import dev.rondo.chaos.part.Database;
import dev.rondo.chaos.part.LinkedInstallation;
import dev.rondo.chaos.part.Metrics;
import dev.rondo.chaos.part.OwnTarget;
import dev.rondo.chaos.part.Part;
import dev.rondo.chaos.part.SecondParts;
import dev.rondo.chaos.part.SupervisedTarget;
import dev.rondo.chaos.part.Target;
import dev.rondo.embedded.FreePort;
import dev.rondo.harness.Door;
import dev.rondo.harness.LocalRondo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/** A Rondo of {@code ./rondo up} and the second parts beside it, to which faults happen. */
public final class RondoUnderTest implements AutoCloseable {
  /** Consumer group of the topology: its {@code application.id}. */
  public static final String TOPOLOGY_GROUP = "rondo";

  public static final String BY_SERIES = "rondo-by-series-repartition";

  private static final Duration MOVE_BOUND = Duration.ofMinutes(3);
  private static final Duration LOOK = Duration.ofMillis(250);

  private final Door door;
  private final LocalRondo rondo;
  private final Path other;
  private final int secondPort;
  private final Map<Part, Target> targets = new EnumMap<>(Part.class);
  private final Map<Part, Path> versions = new EnumMap<>(Part.class);
  private final Set<Part> stopped = Collections.synchronizedSet(EnumSet.noneOf(Part.class));

  private RondoUnderTest(Door door, LocalRondo rondo, Path other, int secondPort) {
    this.door = door;
    this.rondo = rondo;
    this.other = other;
    this.secondPort = secondPort;
  }

  /**
   * Returns when all of it answers.
   *
   * @param upOptions of {@code ./rondo up}
   * @param load that tells which topics there are
   * @param other another installation, which parts that are replaced run from; or null
   */
  public static RondoUnderTest start(
      Door door, List<String> upOptions, List<Scenario> scenarios, LoadOptions load, Path other)
      throws IOException, InterruptedException, ExecutionException {
    boolean hasTopics = scenarios.stream().anyMatch(Scenario::hasTopics);
    boolean hasPattern = hasTopics && !isGiven("--sources=", upOptions);
    boolean explodes = scenarios.contains(Scenario.EXPLODE);
    Path sources = door.dir().resolve("sources.yaml");
    if (hasPattern) {
      Files.writeString(sources, SourceTopics.sources(explodes, false));
    }
    if (explodes && !isGiven("--policies=", upOptions)) {
      Files.writeString(door.dir().resolve("policies.yaml"), SourceTopics.POLICIES);
    }
    LinkedInstallation linked =
        other == null
            ? null
            : LinkedInstallation.of(door.root(), door.dir().resolve("installation"));
    LocalRondo rondo =
        LocalRondo.up(linked == null ? door : new Door(linked.root(), door.dir()), upOptions);
    var started = new RondoUnderTest(door, rondo, other, FreePort.choose());
    for (Part part : Part.usual()) {
      if (part.supervised() != null) {
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

  private static boolean isGiven(String option, List<String> options) {
    return options.stream().anyMatch(given -> given.startsWith(option));
  }

  private void addSecond(boolean hasWorker) {
    var second = new SecondParts(door.dir());
    add(Part.TOPOLOGY_2, second.topology(secondPort));
    if (hasWorker) {
      add(Part.CONNECT_2, second::connect);
    }
  }

  private void add(Part part, OwnTarget.Starter starter) {
    targets.put(part, OwnTarget.start(part, door.root(), door.dir(), starter));
  }

  /** With a pattern, once there are topics for it; all instances start with the same sources. */
  private void readFrom(Path file, String sources) throws IOException, InterruptedException {
    target(Part.TOPOLOGY).stop();
    Files.writeString(file, sources);
    target(Part.TOPOLOGY).start();
  }

  public Door door() {
    return door;
  }

  public LocalRondo local() {
    return rondo;
  }

  Map<Part, Target> targets() {
    return targets;
  }

  Target target(Part part) {
    return targets.get(part);
  }

  /** All but those that are stopped. */
  Map<Part, Target> wanted() {
    Map<Part, Target> wanted = new EnumMap<>(targets);
    wanted.keySet().removeAll(stopped);
    return wanted;
  }

  /** How often each part was started again so far. */
  public Map<Part, Integer> restarts() {
    Map<Part, Integer> restarts = new EnumMap<>(Part.class);
    targets.forEach((part, target) -> restarts.put(part, target.restarts()));
    return restarts;
  }

  public String kafka() {
    return rondo.address("kafka");
  }

  SourceTopics topics() {
    return new SourceTopics(kafka());
  }

  Database database() {
    return new Database(door.dir().resolve("postgres"));
  }

  /** Of an instance of the topology. */
  String url(Part part) {
    return part == Part.TOPOLOGY ? rondo.address("topology") : "http://127.0.0.1:" + secondPort;
  }

  /** The instances that are to run. */
  public List<Part> topologies() {
    return wanted().keySet().stream().filter(Part::isTopology).toList();
  }

  /** What an instance of the topology counts. */
  public Metrics metrics(Part part) throws IOException, InterruptedException {
    return Metrics.read(url(part));
  }

  /** Ends parts in good order; returns when they have ended. */
  void stop(List<Part> parts) throws IOException, InterruptedException {
    stopped.addAll(parts);
    for (Part part : parts) {
      target(part).stop();
    }
  }

  public void start(List<Part> parts) throws IOException, InterruptedException {
    for (Part part : parts) {
      target(part).start();
    }
    stopped.removeAll(parts);
  }

  /** Starts all that are stopped; returns when they answer. */
  public void startStopped() throws IOException, InterruptedException {
    start(List.copyOf(stopped));
    awaitReady();
  }

  private void awaitReady() throws InterruptedException {
    while (!targets.values().stream().allMatch(Target::isReady)) {
      Thread.sleep(LOOK.toMillis());
    }
  }

  /**
   * A part runs from the other installation from its next start on, or from the first one again.
   */
  void changeVersion(Part part) throws IOException {
    if (other == null) {
      return;
    }
    Path next = other.equals(versions.get(part)) ? door.root() : other;
    target(part).install(next);
    versions.put(part, next);
  }

  /**
   * Returns when all instances of the topology that are to run have partitions, and no other has.
   */
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
    var members =
        admin
            .describeConsumerGroups(List.of(TOPOLOGY_GROUP))
            .describedGroups()
            .get(TOPOLOGY_GROUP)
            .get()
            .members();
    Map<String, Long> consolidated = new HashMap<>();
    for (var member : members) {
      long partitions =
          member.assignment().topicPartitions().stream()
              .filter(partition -> partition.topic().equals(BY_SERIES))
              .count();
      consolidated.put(member.consumerId(), partitions);
    }
    boolean areReady = topologies().stream().allMatch(part -> target(part).isReady());
    return areReady && members.size() == wanted && !consolidated.containsValue(0L);
  }

  /** Ends all; a Rondo that is left runs on without the second parts. */
  @Override
  public void close() {
    for (Target target : targets.values()) {
      if (target instanceof OwnTarget own) {
        own.close();
      }
    }
    rondo.close();
  }
}
