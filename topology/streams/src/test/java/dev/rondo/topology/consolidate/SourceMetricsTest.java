package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

/** What an instance reports of its sources. Times are seconds. */
class SourceMetricsTest {
  private static final long DAY = 86_400;

  private final OneTask task =
      new OneTask(10 * DAY, policy("app", "^app", 2), policy("all", ".", 1_000));

  private static String policy(String name, String match, int maxSeries) {
    return ("{name: %s, match: '%s', step: 10s, heartbeat: 2m, expire.after: 1d, max.series: %d,"
            + " archives: ['10s:1h']}")
        .formatted(name, match, maxSeries);
  }

  private double series(String source) {
    return task.registry
        .get("rondo.consolidate.series.by.source")
        .tag("source", source)
        .gauge()
        .value();
  }

  private double counter(String name, String source) {
    return task.registry.get("rondo.consolidate." + name).tag("source", source).counter().count();
  }

  @Test
  void shouldCountSeriesByTheTopicOfTheirFirstPoint() {
    task.send("points", "", "a", 10 * DAY, 1);
    task.send("other", "", "b", 10 * DAY, 1);
    task.send("other", "", "a", 10 * DAY + 10, 1);
    task.sendKeyed("keyed", "c", 10 * DAY, 1);
    task.sendKeyed("keyed", "d", 10 * DAY, 1);
    task.sendKeyed("keyed", "b", 10 * DAY + 10, 1);
    assertThat(series("points")).isEqualTo(1);
    assertThat(series("other")).isEqualTo(1);
    assertThat(series("keyed")).isEqualTo(2);
    assertThat(counter("new.by.source", "other")).isEqualTo(1);
    assertThat(counter("new.by.source", "keyed")).isEqualTo(2);
    assertThat(task.sourceOf)
        .containsEntry("a", "points")
        .containsEntry("b", "other")
        .containsEntry("c", "keyed");
  }

  @Test
  void shouldKeepTheSourceOfASeriesThatMovesToAnotherPolicy() {
    task.send("other", "", "app.a", 10 * DAY, 1);
    task.apply(policy("all", ".", 1_000));
    task.send("points", "", "app.a", 10 * DAY + 10, 1);
    assertThat(task.sourceOf).containsEntry("app.a", "other");
    assertThat(series("other")).isEqualTo(1);
    assertThat(counter("new.by.source", "other")).isEqualTo(1);
  }

  @Test
  void shouldCountAReturningSeriesUnderItsNewTopic() {
    task.send("points", "", "a", 10 * DAY, 1);
    task.delete("a", 10 * DAY + 10);
    task.send("other", "", "a", 10 * DAY + 20, 1);
    assertThat(series("points")).isZero();
    assertThat(series("other")).isEqualTo(1);
  }

  @Test
  void shouldCountPointsOfRefusedSeries() {
    task.send("points", "", "app.a", 10 * DAY, 1);
    task.send("points", "", "app.b", 10 * DAY, 1);
    task.send("other", "", "app.c", 10 * DAY, 1);
    task.send("other", "", "app.c", 10 * DAY + 10, 1);
    assertThat(counter("refused.by.source", "other")).isEqualTo(2);
    assertThat(counter("refused.by.source", "points")).isZero();
    assertThat(counter("new.by.source", "other")).isZero();
  }

  @Test
  void shouldNotCountSeriesOfAClosedTask() {
    task.send("points", "", "a", 10 * DAY, 1);
    task.end();
    assertThat(series("points")).isZero();
    assertThat(counter("new.by.source", "points")).isEqualTo(1);
  }

  @Test
  void shouldCountTopicsTogetherBeyondTheFirstOnes() {
    var registry = new SimpleMeterRegistry();
    var sources = new SourceMetrics(registry);
    for (int n = 0; n < 2 * SourceMetrics.MAX_TOPICS; n++) {
      sources.topic("topic-" + n).addSeries(1);
      sources.topic("topic-" + n).addSeries(2);
    }
    assertThat(registry.getMeters()).hasSize(3 * (SourceMetrics.MAX_TOPICS + 1));
    assertThat(gauge(registry, "topic-0")).isEqualTo(3);
    assertThat(gauge(registry, "(others)")).isEqualTo(3.0 * SourceMetrics.MAX_TOPICS);
    assertThat(sources.topic("topic-999").name()).isEqualTo("topic-999");
  }

  private static double gauge(SimpleMeterRegistry registry, String source) {
    return registry.get("rondo.consolidate.series.by.source").tag("source", source).gauge().value();
  }
}
