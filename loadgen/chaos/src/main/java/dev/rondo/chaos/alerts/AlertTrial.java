package dev.rondo.chaos.alerts;

import dev.rondo.chaos.fault.RondoUnderTest;
import dev.rondo.chaos.load.Loads;
import dev.rondo.chaos.part.Part;
import java.io.IOException;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/**
 * Injects one fault after the other, and compares what fires:
 *
 * <pre>
 *   none fires ── begin ── its alerts fire ── for a while, no other does ── mend ── none fires
 * </pre>
 */
public final class AlertTrial {
  /** The longest alert waits for 90 s, a tenth of a quarter of an hour. */
  private static final Duration FIRE_BOUND = Duration.ofMinutes(4);

  private static final Duration END_BOUND = Duration.ofMinutes(5);

  /** How long no other alert may fire: longer than most alerts wait. */
  private static final Duration WATCHED = Duration.ofSeconds(20);

  private static final Duration LOOK = Duration.ofSeconds(1);

  private final RondoUnderTest rondo;
  private final Loads loads;
  private final Consumer<String> progress;

  /**
   * @param progress receives log lines
   */
  public AlertTrial(RondoUnderTest rondo, Loads loads, Consumer<String> progress) {
    this.rondo = rondo;
    this.loads = loads;
    this.progress = progress;
  }

  /** Policies that the Rondo must have. */
  public static String policies() {
    return AlertSite.TIGHT;
  }

  /** Programs that this needs and that are missing. */
  public static List<String> missing() {
    return AlertWatch.missing();
  }

  /** Injects the faults in this order. */
  public List<AlertOutcome> call(List<AlertFault> faults)
      throws IOException, InterruptedException, ExecutionException, SQLException {
    List<AlertOutcome> outcomes = new ArrayList<>();
    try (AlertWatch watch = watch();
        AlertSite site = new AlertSite(rondo, loads)) {
      site.beginLoad();
      await(watch, Set.of(), END_BOUND, null);
      for (AlertFault fault : faults) {
        AlertOutcome outcome = inject(fault, watch, site);
        outcomes.add(outcome);
        progress.accept(
            AlertOutcome.table(List.of(outcome)).get(1).replaceAll(" +", " ")); // without its head
      }
    }
    return outcomes;
  }

  /** Scrapes the second instance of the topology, too. */
  private AlertWatch watch() throws IOException {
    String first = "\"%s\"".formatted(authority(Part.TOPOLOGY));
    String both = "%s, \"%s\"".formatted(first, authority(Part.TOPOLOGY_2));
    return AlertWatch.start(rondo.cli().dir(), Map.of(first, both));
  }

  private String authority(Part topology) {
    return URI.create(rondo.url(topology)).getAuthority();
  }

  private AlertOutcome inject(AlertFault fault, AlertWatch watch, AlertSite site)
      throws IOException, InterruptedException, ExecutionException, SQLException {
    progress.accept(fault.label());
    fault.begin(site);
    double fired = await(watch, fault.raised(), FIRE_BOUND, () -> fault.goOn(site));
    Set<String> others = new TreeSet<>();
    for (long n = 0; n < WATCHED.toSeconds(); n++) {
      fault.goOn(site);
      others.addAll(watch.firing());
      Thread.sleep(LOOK.toMillis());
    }
    others.removeAll(fault.raised());
    fault.mend(site);
    double ended = await(watch, Set.of(), END_BOUND, null);
    rondo.awaitReady();
    return new AlertOutcome(fault, fired, ended, others);
  }

  /** What is repeated while the alerts are awaited. */
  @FunctionalInterface
  private interface Step {
    void run() throws InterruptedException, ExecutionException;
  }

  /** Returns after how many seconds exactly these alerts fire; NaN if they do not. */
  private static double await(AlertWatch watch, Set<String> expected, Duration bound, Step step)
      throws IOException, InterruptedException, ExecutionException {
    long began = System.nanoTime();
    while (System.nanoTime() - began < bound.toNanos()) {
      if (watch.firing().equals(expected)) {
        return (System.nanoTime() - began) / 1e9;
      }
      if (step != null) {
        step.run();
      }
      Thread.sleep(LOOK.toMillis());
    }
    return Double.NaN;
  }
}
