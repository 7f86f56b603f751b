package dev.rondo.chaos.fault;

import dev.rondo.chaos.load.Loads;
import dev.rondo.chaos.part.Metrics;
import dev.rondo.chaos.part.Part;
import dev.rondo.chaos.part.Target;
import dev.rondo.harness.FaultSchedule;
import dev.rondo.harness.FaultSchedule.Scheduled;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** Injects faults one after the other: pause, fault, wait until all parts are ready again. */
public final class FaultInjector {
  private static final Duration LOOK = Duration.ofMillis(100);

  private final RondoUnderTest rondo;
  private final Loads loads;
  private final Consumer<String> progress;
  private final long beganNanos = System.nanoTime();
  private final List<InjectedFault> injected = new ArrayList<>();

  /**
   * Injects faults into a Rondo under loads.
   *
   * @param progress receives one line per fault
   */
  public FaultInjector(RondoUnderTest rondo, Loads loads, Consumer<String> progress) {
    this.rondo = rondo;
    this.loads = loads;
    this.progress = progress;
  }

  /** Injects a fault now. */
  public void inject(Fault fault)
      throws IOException, InterruptedException, ExecutionException, SQLException {
    long sinceNanos = System.nanoTime();
    fault.kind().inject(fault, rondo, loads);
    Map<Part, Double> ready = awaitReady(sinceNanos);
    ready.keySet().retainAll(fault.parts());
    double at = (sinceNanos - beganNanos) / 1e9;
    Metrics metrics = fault.kind().moves() ? rondo.metrics(Part.TOPOLOGY) : null;
    progress.accept(
        "%.0f s: %s%s%s"
            .formatted(
                at, fault.text(), text(ready), metrics == null ? "" : "; " + metrics.text()));
    injected.add(new InjectedFault(fault, at, ready, metrics));
  }

  private static String text(Map<Part, Double> ready) {
    return ready.isEmpty()
        ? ""
        : "; ready again after %s s"
            .formatted(ready.values().stream().map("%.1f"::formatted).toList());
  }

  /** Injects the faults of a schedule until the load ends. */
  public void injectAll(FaultSchedule<Fault> schedule)
      throws IOException, InterruptedException, ExecutionException, SQLException {
    while (schedule.hasNext()) {
      Scheduled<Fault> next = schedule.next();
      if (!pause(next.pauseMs())) {
        return;
      }
      inject(next.fault());
    }
  }

  /**
   * Spreads {@code count} faults evenly over the load, which starts now.
   *
   * @param lasts duration of the load
   */
  public void injectEvenly(FaultSchedule<Fault> schedule, int count, Duration lasts)
      throws IOException, InterruptedException, ExecutionException, SQLException {
    long fromNanos = System.nanoTime();
    for (int n = 1; n <= count; n++) {
      long dueNanos = fromNanos + lasts.toNanos() * n / (count + 1);
      if (!pause((dueNanos - System.nanoTime()) / 1_000_000)) {
        return;
      }
      inject(schedule.next().fault());
    }
  }

  /** Returns false if the load ended during the pause. */
  private boolean pause(long ms) throws InterruptedException {
    long until = System.nanoTime() + Duration.ofMillis(ms).toNanos();
    while (System.nanoTime() < until && !loads.areOver()) {
      Thread.sleep(LOOK.toMillis());
    }
    return !loads.areOver();
  }

  public List<InjectedFault> injected() {
    return injected;
  }

  /** Seconds until each part was ready, including parts that failed as a consequence. */
  private Map<Part, Double> awaitReady(long sinceNanos) throws InterruptedException {
    Map<Part, Target> wanted = rondo.wanted();
    var ready = new EnumMap<Part, Double>(Part.class);
    while (ready.size() < wanted.size()) {
      double passed = (System.nanoTime() - sinceNanos) / 1e9;
      wanted.forEach(
          (part, target) -> {
            if (target.isReady()) {
              ready.putIfAbsent(part, passed);
            } else {
              ready.remove(part);
            }
          });
      if (passed > RondoUnderTest.READY_BOUND.toSeconds()) {
        var missing = new ArrayList<>(wanted.keySet());
        missing.removeAll(ready.keySet());
        throw RondoUnderTest.notReady(missing);
      }
      Thread.sleep(LOOK.toMillis());
    }
    return ready;
  }
}
