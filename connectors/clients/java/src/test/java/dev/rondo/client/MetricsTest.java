package dev.rondo.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MetricsTest {
  private static final int MAX = 4;

  private final Names names = new Names("shop", new TreeMap<>());
  private final Deliveries deliveries = new Deliveries(names, Clock.systemUTC());
  private final Metrics metrics = new Metrics(names, deliveries, MAX, 0);

  private Counter counter(String name) {
    return metrics.get(Counter.class, name, Map.of(), Counter::new);
  }

  private Metric supplied(String name) {
    return metrics.add(name, Map.of(), ident -> new SuppliedGauge(ident, () -> 7));
  }

  private double published(String ident) {
    return Records.byTime(Records.read(metrics.collect(1000)))
        .get(1000L)
        .getOrDefault(ident, Double.NaN);
  }

  @Test
  void shouldReturnTheSameMetricForTheSameName() {
    assertThat(counter("orders")).isSameAs(counter("orders")).isNotSameAs(counter("returns"));
  }

  @Test
  void shouldRejectAnotherMetricWithTheSameSeries() {
    counter("orders");
    assertThatThrownBy(() -> supplied("orders"))
        .hasMessage("'shop.orders' already exists as a Counter");
    assertThatThrownBy(() -> supplied("orders.rate"))
        .hasMessage("'shop.orders.rate' would publish 'shop.orders.rate', as another metric does");
  }

  @Test
  void shouldNotPublishARemovedMetric() {
    Metric gauge = supplied("queue");
    metrics.remove(gauge);
    assertThat(published("shop.queue")).isNaN();
    supplied("queue");
  }

  @Test
  void shouldCountMetricsBeyondTheMaximum() {
    counter("one");
    counter("two");
    counter("three").add();
    assertThat(deliveries.dropped().total()).as("count and rate").isEqualTo(2);
    assertThat(published("shop.three.count")).isNaN();
  }

  @Test
  void shouldPublishTheOthersIfAFunctionFails() {
    metrics.add(
        "broken",
        Map.of(),
        ident ->
            new SuppliedGauge(
                ident,
                () -> {
                  throw new IllegalStateException("no queue");
                }));
    supplied("works");
    assertThat(published("shop.works")).isEqualTo(7);
    assertThat(deliveries.dropped().total()).isEqualTo(1);
  }

  /** Its points were dropped as too far in the future, so later ones are in order. */
  @Test
  void shouldContinueAfterTheClockWasFarAhead() {
    long aheadMs = 1_000_000_000;
    Counter orders = counter("orders");
    metrics.collect(aheadMs);
    orders.add(20);
    assertThat(metrics.collect(aheadMs - 600_000)).as("waits: those were stored").isEmpty();
    assertThat(metrics.collect(0)).isEmpty();
    assertThat(published("shop.orders.rate")).isEqualTo(20);
    assertThat(metrics.collect(1000)).as("a second time").isEmpty();
  }
}
