package dev.rondo.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.BeforeTry;

/** Published points equal the model, for any order of updates and threads. */
class MetricsPropertyTest {
  private static final long STEP_MS = 10_000;
  private static final long BEGIN_MS = 1_700_000_000_000L;
  private static final double EXACTNESS = 0.008;

  private Metrics metrics;

  @BeforeTry
  void begin() {
    var names = new Names("shop", Names.tags("host=web01"));
    metrics = new Metrics(names, new Deliveries(names, Clock.systemUTC()), 100, BEGIN_MS);
  }

  private Counter counter() {
    return metrics.get(Counter.class, "orders", Map.of(), Counter::new);
  }

  private Timer timer() {
    return metrics.get(Timer.class, "pay", Map.of(), Timer::new);
  }

  private Gauge gauge() {
    return metrics.get(Gauge.class, "queue", Map.of(), Gauge::new);
  }

  @Property(tries = 300)
  void shouldPublishEachStepAsTheModel(@ForAll long seed) {
    Random random = new Random(seed);
    List<Records.Point> published = new ArrayList<>();
    var model = new Model();
    double level = Double.NaN;
    boolean hasBegun = false;
    long beginMs = BEGIN_MS;
    for (int step = 0; step < 20; step++) {
      long events = 0;
      List<Double> durations = new ArrayList<>();
      for (int n = step < 3 ? 0 : random.nextInt(50); n > 0; n--) {
        hasBegun = true;
        long more = random.nextInt(5);
        counter().add(more);
        events += more;
        long ms = 1 + (long) Math.exp(random.nextDouble() * 14);
        timer().record(Duration.ofMillis(ms));
        durations.add((double) ms);
        level = random.nextInt(4) == 0 ? Double.NaN : random.nextGaussian();
        gauge().set(level);
      }
      long endMs = beginMs + STEP_MS * (1 + random.nextInt(3)); // the thread can oversleep
      published.addAll(Records.read(metrics.collect(endMs)));
      assertThat(metrics.collect(endMs)).as("at most one point a step").isEmpty();
      model.events(beginMs, endMs, "rondo_client.published", 0);
      model.events(beginMs, endMs, "rondo_client.dropped", 0);
      if (hasBegun) {
        model.events(beginMs, endMs, "orders", events);
        model.events(beginMs, endMs, "pay", durations.size());
        model.durations(endMs, "pay", durations);
        model.value(endMs, "queue", level);
      }
      beginMs = endMs;
    }
    model.compare(Records.byTime(published));
  }

  /** Expected points, by time and ident. */
  private static final class Model {
    private final Map<Long, Map<String, Double>> values = new TreeMap<>();
    private final Set<String> begun = new HashSet<>();

    void value(long tMs, String name, double value) {
      if (!Double.isNaN(value)) {
        String ident = "shop." + name + ";host=web01";
        values.computeIfAbsent(tMs, t -> new TreeMap<>()).put(ident, value);
      }
    }

    /** The first rate holds from the start of its step. */
    void events(long beginMs, long endMs, String name, long events) {
      if (begun.add(name)) {
        value(beginMs, name + ".rate", 0);
      }
      value(endMs, name + ".count", (double) events);
      value(endMs, name + ".rate", events * 1000.0 / (endMs - beginMs));
    }

    void durations(long tMs, String name, List<Double> durations) {
      int size = durations.size();
      if (size == 0) {
        return;
      }
      Collections.sort(durations);
      double sum = durations.stream().mapToDouble(d -> d).sum();
      value(tMs, name + ".mean", sum / size);
      value(tMs, name + ".min", durations.get(0));
      value(tMs, name + ".max", durations.get(size - 1));
      for (int percent : new int[] {50, 95, 99}) {
        int rank = Math.max((int) Math.ceil(size * percent / 100.0), 1);
        value(tMs, name + ".p" + percent, durations.get(rank - 1));
      }
    }

    void compare(Map<Long, Map<String, Double>> published) {
      assertThat(published.keySet()).isEqualTo(values.keySet());
      values.forEach(
          (tMs, expected) -> {
            Map<String, Double> step = published.get(tMs);
            assertThat(step.keySet()).as("at %d", tMs).isEqualTo(expected.keySet());
            expected.forEach(
                (ident, value) ->
                    assertThat(step.get(ident))
                        .as("%s at %d", ident, tMs)
                        .isCloseTo(value, offset(EXACTNESS * Math.abs(value))));
          });
    }
  }

  @Property(tries = 30)
  void shouldPublishEachEventOfAnyThreadInOneStep(@ForAll long seed) throws Exception {
    int threads = 4;
    int events = 2_000;
    Counter counter = counter();
    Timer timer = timer();
    List<Thread> updaters = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      Random random = new Random(seed + thread);
      var updater =
          new Thread(
              () -> {
                for (int n = 0; n < events; n++) {
                  counter.add();
                  timer.recordNanos(1_000_000 + random.nextInt(1_000_000));
                }
              });
      updaters.add(updater);
      updater.start();
    }
    List<Records.Point> published = new ArrayList<>();
    long endMs = BEGIN_MS;
    while (updaters.stream().anyMatch(Thread::isAlive)) {
      endMs += STEP_MS;
      published.addAll(Records.read(metrics.collect(endMs)));
    }
    published.addAll(Records.read(metrics.collect(endMs + STEP_MS)));

    Map<Long, Map<String, Double>> steps = Records.byTime(published);
    assertThat(sum(steps, "orders.count")).isEqualTo(threads * events);
    assertThat(sum(steps, "pay.count")).isEqualTo(threads * events);
    assertThat(sum(steps, "pay.rate") * STEP_MS / 1000).isCloseTo(threads * events, offset(1e-6));
    steps.values().forEach(MetricsPropertyTest::checkOrder);
  }

  private static double sum(Map<Long, Map<String, Double>> steps, String name) {
    return steps.values().stream().mapToDouble(step -> of(step, name)).sum();
  }

  private static double of(Map<String, Double> step, String name) {
    return step.getOrDefault("shop." + name + ";host=web01", 0.0);
  }

  /** All values of a step describe the same durations. */
  private static void checkOrder(Map<String, Double> step) {
    if (of(step, "pay.count") > 0) {
      List<Double> ascending =
          Stream.of("min", "p50", "p95", "p99", "max").map(s -> of(step, "pay." + s)).toList();
      assertThat(ascending).isSorted();
      assertThat(of(step, "pay.mean")).isBetween(ascending.get(0), ascending.get(4));
    } else {
      assertThat(step.keySet()).noneMatch(ident -> ident.contains("pay.mean"));
    }
  }
}
