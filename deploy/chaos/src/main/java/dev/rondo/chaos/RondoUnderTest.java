package dev.rondo.chaos;

import dev.rondo.door.Door;
import dev.rondo.door.LocalRondo;
import dev.rondo.embedded.FreePort;
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
final class RondoUnderTest implements AutoCloseable {
  private static final Duration MOVE_BOUND = Duration.ofMinutes(3);
  private static final Duration LOOK = Duration.ofMillis(250);

  private final Door door;
  private final LocalRondo rondo;
  private final Path other;
  private final Map<Part, Target> targets;
  private final String secondUrl;
  private final Map<Part, Path> versions = new EnumMap<>(Part.class);
  private final Set<Part> stopped = Collections.synchronizedSet(EnumSet.noneOf(Part.class));

  private RondoUnderTest(
      Door door, LocalRondo rondo, Path other, Map<Part, Target> targets, String secondUrl) {
    this.door = door;
    this.rondo = rondo;
    this.other = other;
    this.targets = targets;
    this.secondUrl = secondUrl;
  }

  /**
   * Returns when all of it answers.
   *
   * @param upOptions of {@code ./rondo up}
   * @param parts that are to run
   * @param other another installation, which parts that are replaced run from; or null
   */
  static RondoUnderTest start(Door door, List<String> upOptions, Set<Part> parts, Path other)
      throws IOException, InterruptedException, ExecutionException {
    LinkedInstallation linked =
        other == null
            ? null
            : LinkedInstallation.of(door.root(), door.dir().resolve("installation"));
    boolean hasOwnSources = upOptions.stream().noneMatch(o -> o.startsWith("--sources="));
    if (hasOwnSources) {
      Files.writeString(door.dir().resolve("sources.yaml"), SourceTopics.NAMED);
    }
    if (upOptions.stream().noneMatch(option -> option.startsWith("--policies="))) {
      Files.writeString(door.dir().resolve("policies.yaml"), SourceTopics.POLICIES);
    }
    Door from = linked == null ? door : new Door(linked.root(), door.dir());
    LocalRondo rondo = LocalRondo.up(from, upOptions);
    int port = FreePort.choose();
    var second = new SecondParts(door.dir());
    Map<Part, Target> targets = new EnumMap<>(Part.class);
    var started = new RondoUnderTest(door, rondo, other, targets, "http://127.0.0.1:" + port);
    for (Part part : parts) {
      if (part.supervised() != null) {
        targets.put(part, new SupervisedTarget(rondo, part.supervised(), linked));
      }
    }
    if (hasOwnSources) {
      started.addPattern();
    }
    if (parts.contains(Part.TOPOLOGY_2)) {
      targets.put(
          Part.TOPOLOGY_2,
          OwnTarget.start(Part.TOPOLOGY_2, door.root(), door.dir(), second.topology(port)));
    }
    if (parts.contains(Part.CONNECT_2)) {
      targets.put(
          Part.CONNECT_2,
          OwnTarget.start(Part.CONNECT_2, door.root(), door.dir(), second::connect));
    }
    started.awaitReady();
    return started;
  }

  /** All instances of the topology start with the same sources. */
  private void addPattern() throws IOException, InterruptedException, ExecutionException {
    topics().seed();
    target(Part.TOPOLOGY).stop();
    Files.writeString(door.dir().resolve("sources.yaml"), SourceTopics.WITH_PATTERN);
    target(Part.TOPOLOGY).start();
  }

  Door door() {
    return door;
  }

  LocalRondo local() {
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
  Map<Part, Integer> restarts() {
    Map<Part, Integer> restarts = new EnumMap<>(Part.class);
    targets.forEach((part, target) -> restarts.put(part, target.restarts()));
    return restarts;
  }

  String kafka() {
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
    return part == Part.TOPOLOGY ? rondo.address("topology") : secondUrl;
  }

  /** The instances that are to run. */
  List<Part> topologies() {
    return wanted().keySet().stream().filter(Part::isTopology).toList();
  }

  /** What an instance of the topology counts. */
  Metrics metrics(Part part) throws IOException, InterruptedException {
    return Metrics.read(url(part));
  }

  /** Ends parts in good order; returns when they have ended. */
  void stop(List<Part> parts) throws IOException, InterruptedException {
    stopped.addAll(parts);
    for (Part part : parts) {
      target(part).stop();
    }
  }

  void start(List<Part> parts) throws IOException, InterruptedException {
    for (Part part : parts) {
      target(part).start();
    }
    stopped.removeAll(parts);
  }

  /** Starts all that are stopped; returns when they answer. */
  void startStopped() throws IOException, InterruptedException {
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
            .describeConsumerGroups(List.of(Trial.TOPOLOGY_GROUP))
            .describedGroups()
            .get(Trial.TOPOLOGY_GROUP)
            .get()
            .members();
    Map<String, Long> consolidated = new HashMap<>();
    for (var member : members) {
      long partitions =
          member.assignment().topicPartitions().stream()
              .filter(partition -> partition.topic().equals(Trial.BY_SERIES))
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
