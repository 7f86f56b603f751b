package dev.rondo.chaos.fault;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.rondo.chaos.part.Metrics;
import dev.rondo.chaos.part.Part;
import dev.rondo.harness.RondoCli;
import dev.rondo.harness.RondoCli.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/**
 * The versions of the policies that a scenario has applied, and which points were consolidated
 * under which of them.
 */
public final class PolicyVersions {
  /** Series send at least as often: no policy has a shorter heartbeat than twice that. */
  public static final int LONGEST_INTERVAL_S = 10;

  /** Unkeyed points wait for those of other partitions, although they are consumed. */
  private static final long MERGE_MS = 5000;

  private static final Duration BOUND = Duration.ofMinutes(5);
  private static final Duration LOOK = Duration.ofMillis(100);

  private final RondoCli cli;
  private final ChangingPolicies policies;
  private final List<Applied> applied = new ArrayList<>();
  private boolean hasOneMore;

  /**
   * An applied version.
   *
   * @param fromMs points until then were consolidated under earlier versions, epoch ms
   * @param untilMs points from then on were consolidated under this one or a later one, epoch ms
   */
  private record Applied(String yaml, long fromMs, long untilMs) {}

  PolicyVersions(RondoCli cli, long seed) {
    this.cli = cli;
    this.policies = new ChangingPolicies(seed);
  }

  /** Writes the first version where {@code ./rondo up} reads it. */
  void begin() throws IOException {
    String yaml = policies.yaml();
    Files.writeString(cli.dir().resolve("policies.yaml"), yaml);
    applied.add(new Applied(yaml, 0, 0));
  }

  /**
   * Applies the next version, and waits until all tasks have taken it.
   *
   * @param topics that receive points
   * @param meanwhile is done as soon as the version is applied
   */
  void apply(RondoUnderTest rondo, List<String> topics, FaultKind.Action meanwhile)
      throws IOException, InterruptedException, ExecutionException, SQLException {
    long fromMs = System.currentTimeMillis();
    awaitConsumed(rondo, topics);
    awaitConsumed(rondo, List.of(rondo.bySeries()));
    policies.change();
    String yaml = policies.yaml();
    int number = applied.size() + 1;
    apply(number + ".yaml", yaml);
    meanwhile.run();
    awaitTaken(rondo, number);
    applied.add(new Applied(yaml, fromMs, System.currentTimeMillis()));
  }

  /** Adds an archive to the policies of {@code ./rondo up}, or removes it again. */
  void changeArchives() throws IOException, InterruptedException {
    String yaml = Files.readString(cli.dir().resolve("policies.yaml"));
    hasOneMore = !hasOneMore;
    apply("archives.yaml", hasOneMore ? yaml.replace("\"1m:7d\"", "\"1m:7d\", \"5m:14d\"") : yaml);
  }

  private void apply(String name, String yaml) throws IOException, InterruptedException {
    Path file = Files.createDirectories(cli.dir().resolve("versions")).resolve(name);
    Running apply = cli.start("policies apply", List.of(Files.writeString(file, yaml).toString()));
    if (apply.await() != 0) {
      throw apply.failed();
    }
  }

  /** Waits until the topology has consumed what the topics contain now. */
  private static void awaitConsumed(RondoUnderTest rondo, List<String> topics)
      throws InterruptedException, ExecutionException {
    long began = System.nanoTime();
    try (var backlog = new Backlog(rondo.kafka(), rondo.topologyGroup(), topics)) {
      while (backlog.offsets() > 0) {
        checkTime(began, "the topology has not consumed " + topics);
        Thread.sleep(LOOK.toMillis());
      }
    }
  }

  private static void awaitTaken(RondoUnderTest rondo, long number)
      throws InterruptedException, ExecutionException {
    int tasks = tasks(rondo);
    long began = System.nanoTime();
    List<Long> taken = List.of();
    while (taken.size() != tasks || taken.stream().anyMatch(version -> version != number)) {
      checkTime(began, "tasks have versions %s of the policies, not %d".formatted(taken, number));
      Thread.sleep(LOOK.toMillis());
      taken = taken(rondo);
    }
  }

  private static void checkTime(long beganNanos, String what) {
    if (System.nanoTime() - beganNanos > BOUND.toNanos()) {
      throw new IllegalStateException("%s for %d s".formatted(what, BOUND.toSeconds()));
    }
  }

  /** Version of each task of the instances that answer. */
  private static List<Long> taken(RondoUnderTest rondo) throws InterruptedException {
    List<Long> taken = new ArrayList<>();
    for (Part part : rondo.topologies()) {
      try {
        taken.addAll(Metrics.policyVersions(rondo.url(part)));
      } catch (IOException e) {
        return List.of(); // killed: it is restarted
      }
    }
    return taken;
  }

  private static int tasks(RondoUnderTest rondo) throws InterruptedException, ExecutionException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", rondo.kafka()))) {
      List<String> topic = List.of(rondo.bySeries());
      return admin
          .describeTopics(topic)
          .allTopicNames()
          .get()
          .get(rondo.bySeries())
          .partitions()
          .size();
    }
  }

  /**
   * Writes all versions for {@code ./rondo verify --versions}.
   *
   * @param lagMs how long after their time points may have been sent
   * @return the file
   */
  public Path write(long lagMs) throws IOException {
    var json = new ObjectMapper();
    ArrayNode versions = json.createArrayNode();
    for (Applied version : applied) {
      versions
          .addObject()
          .put("policies", version.yaml())
          .put("from_ms", Math.max(0, version.fromMs() - lagMs - MERGE_MS))
          .put("until_ms", version.untilMs());
    }
    Path file = cli.dir().resolve("versions.json");
    json.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), versions);
    return file;
  }
}
