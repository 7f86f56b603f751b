package dev.rondo.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.chaos.fault.Backlog;
import dev.rondo.chaos.fault.Fault;
import dev.rondo.chaos.fault.FaultInjector;
import dev.rondo.chaos.fault.InjectedFault;
import dev.rondo.chaos.fault.RondoUnderTest;
import dev.rondo.chaos.fault.Scenario;
import dev.rondo.chaos.load.LoadOptions;
import dev.rondo.chaos.load.Loads;
import dev.rondo.chaos.part.Metrics;
import dev.rondo.chaos.part.Part;
import dev.rondo.harness.FaultSchedule;
import dev.rondo.harness.RondoCli.Running;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** Runs one scenario on a running Rondo: load, faults, verification. */
final class Trial {
  /** The merge waits at most two minutes for a silent source partition; instances wait as long. */
  private static final Duration STANDSTILL = Duration.ofSeconds(150);

  private static final Duration LOOK = Duration.ofMillis(250);
  private static final int EXAMPLES = 5;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final RondoUnderTest rondo;
  private final Scenario scenario;
  private final Settings settings;
  private final Loads loads;
  private final Consumer<String> progress;
  private final List<String> failures = new ArrayList<>();

  /**
   * Settings of a trial.
   *
   * @param faults number of faults, spread evenly; null: the scenario's own schedule
   * @param waitSeconds how long to wait for correct slots after the drain
   */
  record Settings(
      LoadOptions load,
      long longestPauseMs,
      long longestFaultMs,
      Integer faults,
      int waitSeconds) {}

  /**
   * @param progress receives log lines
   */
  Trial(RondoUnderTest rondo, Scenario scenario, Settings settings, Consumer<String> progress) {
    this.rondo = rondo;
    this.scenario = scenario;
    this.settings = settings;
    this.loads = new Loads(rondo.cli(), scenario.label(), settings.load());
    this.progress = progress;
  }

  Outcome call() throws IOException, InterruptedException, ExecutionException, SQLException {
    progress.accept("%s: load starts".formatted(scenario.label()));
    Map<Part, Integer> before = rondo.restarts();
    Map<String, Long> droppedBefore = Counts.sum(metrics().values());
    long tooFarAheadBefore = rondo.tooFarAhead();
    long recordsBefore = rondo.topics().records();
    List<InjectedFault> injected;
    List<JsonNode> loaded;
    double drainSeconds;
    Freshness freshness;
    Shown shown;
    try (var probe = FreshnessProbe.start(rondo.finestSlots());
        var render = scenario == Scenario.RESTORE ? RenderProbe.start(rondo, chosen()) : null) {
      injected = inject();
      loaded = loads.await();
      drainSeconds = drain();
      if (scenario == Scenario.REPLAY_LIVE) {
        rondo.replays().finish();
      } else if (scenario == Scenario.CLOCKS) {
        rondo.replays().mend();
      }
      freshness = scenario == Scenario.POLICIES ? null : probe.end();
      shown = render == null ? null : render.end();
    }
    progress.accept("drained %.1f s after the load; comparing every slot".formatted(drainSeconds));
    JsonNode verdict = verify(worstLagMs(loaded));
    if (shown != null) {
      shown.differences(rondo.postgres()).forEach(this::fail);
    }
    Map<Part, Integer> restarts = rondo.restarts();
    restarts.replaceAll((part, count) -> count - before.get(part));
    Map<Part, Metrics> metrics = metrics();
    long tooFarAhead = rondo.tooFarAhead() - tooFarAheadBefore;
    checkMemory(metrics);
    if (injected.stream().noneMatch(each -> each.fault().endsTopology())
        && rondo.topologies().stream().allMatch(part -> restarts.get(part) == 0)) {
      long repeated =
          scenario == Scenario.TOPICS // whose topics do not hold all that was sent
              ? 0
              : rondo.topics().records() - recordsBefore - records(loaded);
      checkCounts(droppedBefore, metrics, verdict, repeated);
    }
    rondo.startStopped();
    return new Outcome(
        scenario,
        injected,
        restarts,
        loaded,
        drainSeconds,
        freshness,
        shown,
        metrics,
        tooFarAhead,
        verdict,
        failures);
  }

  private Random chosen() {
    return new Random(settings.load().seed());
  }

  private List<InjectedFault> inject()
      throws IOException, InterruptedException, ExecutionException, SQLException {
    var injector = new FaultInjector(rondo, loads, progress);
    for (Fault fault : scenario.opening()) {
      injector.inject(fault);
    }
    for (LoadOptions.Run run : scenario.loads(settings.load())) {
      loads.begin(run);
    }
    var schedule =
        new FaultSchedule<>(
            random -> scenario.round(random, settings.longestFaultMs()),
            settings.longestPauseMs(),
            settings.load().seed());
    Integer faults = settings.faults() == null ? scenario.faults() : settings.faults();
    if (faults == null || !schedule.hasNext()) {
      injector.injectAll(schedule);
    } else {
      Duration lasts = Duration.ofMillis((long) (settings.load().seconds() * 1000));
      injector.injectEvenly(schedule, faults, lasts);
    }
    return injector.injected();
  }

  /** Waits until all points are consolidated and stored; returns the time, seconds. */
  private double drain() throws InterruptedException, ExecutionException {
    long began = System.nanoTime();
    drain(rondo.topologyGroup(), loads.topics());
    drain(rondo.topologyGroup(), List.of(rondo.bySeries()));
    drain(rondo.sinkGroup(), rondo.sinkTopics());
    return (System.nanoTime() - began) / 1e9;
  }

  private void drain(String group, List<String> topics)
      throws InterruptedException, ExecutionException {
    try (var backlog = new Backlog(rondo.kafka(), group, topics)) {
      long least = Long.MAX_VALUE;
      long leastNanos = System.nanoTime();
      for (long offsets = backlog.offsets(); offsets > 0; offsets = backlog.offsets()) {
        if (offsets < least) {
          least = offsets;
          leastNanos = System.nanoTime();
        } else if (System.nanoTime() - leastNanos > STANDSTILL.toNanos()) {
          fail(
              "the group %s has not consumed any of the remaining %d records of %s for %d s"
                  .formatted(group, offsets, topics, STANDSTILL.toSeconds()));
          return;
        }
        Thread.sleep(LOOK.toMillis());
      }
    }
  }

  private void fail(String what) {
    failures.add(what);
    progress.accept(what);
  }

  private JsonNode verify(long worstLagMs) throws IOException, InterruptedException {
    List<String> options = new ArrayList<>();
    loads.plans().forEach(plan -> options.add("--plan=" + plan));
    if (scenario == Scenario.POLICIES) {
      options.add("--versions=" + rondo.policies().write(worstLagMs));
    }
    options.addAll(List.of("--wait=" + settings.waitSeconds(), "--show=3", "--json"));
    Running verify = rondo.cli().start("verify", options);
    if (verify.await() > 1) {
      throw verify.failed();
    }
    return JSON.readTree(verify.output());
  }

  private static long worstLagMs(List<JsonNode> loaded) {
    return loaded.stream().mapToLong(load -> load.path("worst_lag_ms").asLong()).max().orElse(0);
  }

  /** Counters of the running instances since their start. */
  private Map<Part, Metrics> metrics() throws IOException, InterruptedException {
    Map<Part, Metrics> metrics = new EnumMap<>(Part.class);
    for (Part part : rondo.topologies()) {
      metrics.put(part, rondo.metrics(part));
    }
    return metrics;
  }

  /** After a rebalance an instance must not count points of partitions that it lost. */
  private void checkMemory(Map<Part, Metrics> metrics) {
    if (scenario != Scenario.REBALANCE) {
      return;
    }
    metrics.forEach(
        (part, counted) -> {
          if (counted.evicted() > 0) {
            fail("%s evicted %d points; expected none".formatted(part.label(), counted.evicted()));
          }
          if (counted.buffered() > 0) {
            fail(
                "%s reports %d buffered points, although all points are consolidated"
                    .formatted(part.label(), counted.buffered()));
          }
        });
  }

  private static long records(List<JsonNode> loaded) {
    return loaded.stream().mapToLong(load -> load.path("records").asLong()).sum();
  }

  /**
   * Counters are lost when an instance ends, so they are exact only if no instance has ended.
   *
   * @param repeated records that the source topics hold in addition to those sent: a producer wrote
   *     them again, and their points are late or have the time of the one before
   */
  private void checkCounts(
      Map<String, Long> before, Map<Part, Metrics> after, JsonNode verdict, long repeated)
      throws IOException, InterruptedException {
    Map<String, Long> counted = new TreeMap<>(Counts.sum(after.values()));
    before.forEach((reason, count) -> counted.merge(reason, -count, Long::sum));
    Map<String, Long> differences = Counts.differences(verdict.path("dropped"), counted);
    if (repeated != 0) {
      progress.accept("the source topics hold %d records more than sent".formatted(repeated));
    }
    if (!Counts.areOfRepeated(differences, repeated, settings.load().batch())) {
      counted.values().removeIf(count -> count == 0);
      fail(
          "dropped points: expected %s, counted %s; the source topics hold %d records more than sent"
              .formatted(verdict.path("dropped"), counted, repeated));
      for (String reason : differences.keySet()) {
        reportLastDropped(reason);
      }
    }
  }

  /** Reports examples of dropped points: their times and series show what happened. */
  private void reportLastDropped(String reason) throws IOException, InterruptedException {
    for (Part part : rondo.topologies()) {
      JsonNode series = rondo.lastDropped(part, reason);
      for (int n = 0; n < Math.min(EXAMPLES, series.size()); n++) {
        fail("%s dropped as %s: %s".formatted(part.label(), reason, series.get(n)));
      }
    }
  }
}
