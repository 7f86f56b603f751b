package dev.rondo.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.proof.model.Collector.Sending;
import dev.rondo.proof.model.Comparison;
import dev.rondo.proof.model.PolicyRule;
import dev.rondo.proof.model.StoredSlots;
import dev.rondo.proof.parts.Instance;
import dev.rondo.proof.parts.Instances;
import dev.rondo.proof.parts.Machine;
import dev.rondo.proof.parts.RowWatch;
import dev.rondo.proof.parts.Settings;
import dev.rondo.schemas.Topics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.core.ConditionTimeoutException;

/**
 * One run: load on two instances, faults meanwhile, and finally the comparison of every slot with
 * the model. Each run has separate topics, application and policy.
 */
final class Proof implements AutoCloseable {
  private static final Duration CATCH_UP = Duration.ofMinutes(2);

  private final Machine machine;
  private final PolicyRule policy;
  private final Path dir;
  private final Random random;
  private final Settings settings;
  private final Instances instances;
  private final List<Instance> running = new ArrayList<>();
  private final NavigableMap<Long, String> events = new TreeMap<>();
  private final List<String> logged = new ArrayList<>();
  private final Load load;
  private final RowWatch rows;

  private Proof(
      Machine machine,
      PolicyRule policy,
      Settings settings,
      Map<String, String> config,
      List<Sending> sendings)
      throws Exception {
    this.machine = machine;
    this.policy = policy;
    this.settings = settings;
    this.random = new Random(settings.seed());
    this.dir = Files.createDirectories(machine.dir().resolve(policy.name()));
    String withoutKey = policy.name() + ".without-key";
    String byHost = policy.name() + ".by-host";
    machine.createTopic(withoutKey, Instances.PARTITIONS, Topics.POINTS.configs());
    machine.createTopic(byHost, Instances.PARTITIONS, Map.of());
    Path policies = Files.writeString(dir.resolve("policies.yaml"), policy.yaml());
    instances =
        new Instances(machine, policy.name(), List.of(withoutKey, byHost), policies, settings);
    config.forEach(instances::with);
    running.add(instances.add());
    running.add(instances.add());
    rows = RowWatch.start(machine.bootstrap());
    load = Load.start(machine.bootstrap(), policy, withoutKey, byHost, sendings, settings);
    log("%s; logs in %s".formatted(settings, dir));
    instances.awaitCaughtUp();
  }

  /**
   * Starts two instances under load and waits until they process points.
   *
   * @param name of its policy and application
   * @param config of the instances, beside what every proof sets
   */
  static Proof start(String name, Settings settings, Map<String, String> config) throws Exception {
    return start(name, settings, config, List.of(Sending.values()));
  }

  /** The same with only some kinds of publishing. */
  static Proof start(
      String name, Settings settings, Map<String, String> config, List<Sending> sendings)
      throws Exception {
    return new Proof(Machine.shared(), PolicyRule.named(name), settings, config, sendings);
  }

  Machine machine() {
    return machine;
  }

  Instances instances() {
    return instances;
  }

  Random random() {
    return random;
  }

  /** The instances that should run. */
  List<Instance> running() {
    return running;
  }

  Instance any() {
    return running.get(random.nextInt(running.size()));
  }

  /** Waits until the group has removed an instance and the others have its partitions. */
  void awaitTheOthers() throws Exception {
    instances.awaitMembers(running.size() - 1);
    instances.awaitCaughtUp();
  }

  /** A fault under load. */
  @FunctionalInterface
  interface Event {
    void happen() throws Exception;
  }

  /** Injects it at a random moment, and waits until all earlier points are decoded. */
  void event(String what, Event event) throws Exception {
    TimeUnit.MILLISECONDS.sleep(random.nextInt(3000)); // at a random moment
    long beganMs = System.currentTimeMillis();
    event.happen();
    List<Instance> ended = instances.startEnded(running);
    instances.awaitCaughtUp();
    ended = ended.isEmpty() ? instances.startEnded(running) : ended;
    events.put(beganMs, what);
    log(
        "%s: caught up after %.1f s%s"
            .formatted(
                what,
                (System.currentTimeMillis() - beganMs) / 1e3,
                ended.isEmpty() ? "" : ", ended by themselves: " + ended));
  }

  /** Logs, per event, the longest time until the next event without a new row in a partition. */
  private void tellGaps() {
    Long beganMs = events.isEmpty() ? null : events.firstKey();
    while (beganMs != null) {
      Long nextMs = events.higherKey(beganMs);
      Duration gap = rows.longestGap(beganMs, nextMs == null ? System.currentTimeMillis() : nextMs);
      log(
          "%s: longest time without a new row of some partition %.1f s"
              .formatted(events.get(beganMs), gap.toMillis() / 1e3));
      beganMs = nextMs;
    }
  }

  private void log(String line) {
    logged.add(line);
    System.out.println("proof " + policy.name() + ": " + line);
  }

  /** Ends the load and compares every slot with the model. */
  void shouldStoreEveryPointExactlyOnce() throws Exception {
    tellGaps();
    load.end();
    instances.startEnded(running);
    instances.awaitCaughtUp();
    AtomicReference<Comparison> last = new AtomicReference<>();
    try {
      await()
          .atMost(CATCH_UP)
          .pollInterval(Duration.ofSeconds(1))
          .ignoreExceptions()
          .until(
              () -> {
                instances.startEnded(running);
                last.set(
                    Comparison.of(
                        load.series(), policy, StoredSlots.read(machine.jdbcUrl(), policy.name())));
                return last.get().isClean();
              });
    } catch (ConditionTimeoutException e) {
      log("differs from the model; seed " + settings.seed() + ", logs in " + dir);
      Files.write(dir.resolve("differences.txt"), last.get().differences());
      assertThat(last.get()).as(String.join("\n", logged)).hasToString("");
    }
    long points = load.series().stream().mapToLong(one -> one.points().size()).sum();
    log("%d points of %d series; %s".formatted(points, load.series().size(), last.get()));
    assertThat(last.get().slots()).isGreaterThan(load.series().size());
  }

  @Override
  public void close() {
    load.close();
    rows.close();
    instances.close();
  }
}
