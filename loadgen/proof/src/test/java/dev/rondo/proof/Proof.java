package dev.rondo.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.harness.FaultSchedule;
import dev.rondo.harness.FaultSchedule.Scheduled;
import dev.rondo.harness.parts.Instance;
import dev.rondo.harness.parts.Instances;
import dev.rondo.harness.parts.Services;
import dev.rondo.proof.model.Collector.Sending;
import dev.rondo.proof.model.Comparison;
import dev.rondo.proof.model.PolicyRule;
import dev.rondo.proof.model.Series;
import dev.rondo.proof.model.StoredSlots;
import dev.rondo.schemas.Topics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.core.ConditionTimeoutException;

/**
 * One run: load on two instances, faults meanwhile, and finally the comparison of every slot with
 * the model. Each run has separate topics, application and policy.
 */
final class Proof implements AutoCloseable {
  private static final long LONGEST_PAUSE_MS = 3000;
  private static final Duration CATCH_UP = Duration.ofMinutes(5);

  private final Services services;
  private final PolicyRule policy;
  private final Reading reading;
  private final Path dir;
  private final Random random;
  private final Settings settings;
  private final Instances instances;
  private final List<Instance> running = new ArrayList<>();
  private final NavigableMap<Long, String> faults = new TreeMap<>();
  private final List<String> logged = new ArrayList<>();
  private final Load load;
  private final RowWatch rows;

  private Proof(
      Services services,
      PolicyRule policy,
      Settings settings,
      Map<String, String> config,
      List<Sending> sendings,
      Reading reading)
      throws Exception {
    this.services = services;
    this.policy = policy;
    this.reading = reading;
    this.settings = settings;
    this.random = new Random(settings.seed());
    this.dir = Files.createDirectories(services.dir().resolve(policy.name()));
    String withoutKey = policy.name() + ".without-key";
    String byHost = policy.name() + ".by-host";
    services.createTopic(withoutKey, Instances.PARTITIONS, Topics.POINTS.configs());
    services.createTopic(byHost, Instances.PARTITIONS, Map.of());
    Path policies = Files.writeString(dir.resolve("policies.yaml"), policy.yaml());
    instances =
        new Instances(
            services, policy.name(), List.of(withoutKey, byHost), policies, settings.standby());
    config.forEach(instances::with);
    running.add(instances.add());
    running.add(instances.add());
    rows = RowWatch.start(services.bootstrap());
    load = Load.start(services.bootstrap(), policy, withoutKey, byHost, sendings, settings);
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
    return new Proof(
        Services.shared(),
        PolicyRule.named(name),
        settings,
        config,
        sendings,
        jdbcUrl -> StoredSlots.read(jdbcUrl, name));
  }

  /** The same with another rule, and another way to read what is stored. */
  static Proof start(
      PolicyRule rule, Settings settings, Map<String, String> config, Reading reading)
      throws Exception {
    return new Proof(Services.shared(), rule, settings, config, List.of(Sending.values()), reading);
  }

  /** Reads the stored slots. */
  @FunctionalInterface
  interface Reading {
    StoredSlots read(String jdbcUrl) throws SQLException;
  }

  Services services() {
    return services;
  }

  Instances instances() {
    return instances;
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

  /**
   * A fault under load.
   *
   * @param text what happens, for the log
   */
  record Fault(String text, Injection injection) {}

  /** Injects a fault. */
  @FunctionalInterface
  interface Injection {
    void run() throws Exception;
  }

  /** Injects each fault of the round once per round of the settings, in random order. */
  void inject(List<Fault> round) throws Exception {
    var schedule =
        new FaultSchedule<>(
            mixing -> FaultSchedule.shuffled(round, mixing), LONGEST_PAUSE_MS, settings.seed());
    for (int n = 0; n < settings.rounds() * round.size(); n++) {
      Scheduled<Fault> next = schedule.next();
      TimeUnit.MILLISECONDS.sleep(next.pauseMs()); // so that it hits at a random moment
      inject(next.fault());
    }
  }

  /** Injects a fault now, and waits until all earlier points are decoded. */
  void inject(Fault fault) throws Exception {
    long beganMs = System.currentTimeMillis();
    fault.injection().run();
    List<Instance> ended = instances.startEnded(running);
    instances.awaitCaughtUp();
    ended = ended.isEmpty() ? instances.startEnded(running) : ended;
    faults.put(beganMs, fault.text());
    log(
        "%s: caught up after %.1f s%s"
            .formatted(
                fault.text(),
                (System.currentTimeMillis() - beganMs) / 1e3,
                ended.isEmpty() ? "" : ", ended by themselves: " + ended));
  }

  /** Logs, per fault, the longest time until the next fault without a new row in a partition. */
  private void logGaps() {
    Long beganMs = faults.isEmpty() ? null : faults.firstKey();
    while (beganMs != null) {
      Long nextMs = faults.higherKey(beganMs);
      Duration gap = rows.longestGap(beganMs, nextMs == null ? System.currentTimeMillis() : nextMs);
      log(
          "%s: longest time without a new row of some partition %.1f s"
              .formatted(faults.get(beganMs), gap.toMillis() / 1e3));
      beganMs = nextMs;
    }
  }

  private void log(String line) {
    logged.add(line);
    System.out.println("proof " + policy.name() + ": " + line);
  }

  /** Ends the load and compares every slot with the model. */
  void shouldStoreEveryPointExactlyOnce() throws Exception {
    shouldStoreEveryPointExactlyOnce(Set.of());
  }

  /** The same, where these series were deleted: nothing of them may be stored. */
  void shouldStoreEveryPointExactlyOnce(Set<String> deleted) throws Exception {
    logGaps();
    load.end();
    instances.startEnded(running);
    instances.awaitCaughtUp();
    AtomicReference<Comparison> last = new AtomicReference<>();
    try {
      await("slots as the model has them")
          .atMost(CATCH_UP)
          .pollInterval(Duration.ofSeconds(1))
          .ignoreExceptions()
          .until(
              () -> {
                instances.startEnded(running);
                List<Series> kept =
                    load.series().stream().filter(one -> !deleted.contains(one.ident())).toList();
                last.set(Comparison.of(kept, policy, reading.read(services.jdbcUrl())));
                return last.get().isClean();
              });
    } catch (ConditionTimeoutException e) {
      if (last.get() == null) {
        throw e; // the slots could not be read
      }
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
