package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a task reports of its policies and series. Times are seconds. */
class ConsolidateMetricsTest {
  private static final long DAY = 86_400;

  private final OneTask task =
      new OneTask(10 * DAY, policy("app", "^app", 7), policy("all", ".", 1_000));

  private static String policy(String name, String match, int maxSeries) {
    return ("{name: %s, match: '%s', step: 10s, heartbeat: 2m, expire.after: 1d, max.series: %d,"
            + " archives: ['10s:1h']}")
        .formatted(name, match, maxSeries);
  }

  private double gauge(String name, String policy) {
    return task.registry.get(name).tags("policy", policy, "task", "0_0").gauge().value();
  }

  private double series(String policy) {
    return gauge("rondo.consolidate.series", policy);
  }

  private double counter(String name, String policy) {
    return task.registry.get(name).tag("policy", policy).counter().count();
  }

  @Test
  void shouldReportTheSeriesOfEachPolicyAndTheirMaximum() {
    assertThat(series("app")).isZero();
    assertThat(counter("rondo.consolidate.new", "app")).isZero();
    task.send("app.a", 10 * DAY, 1);
    task.send("app.b", 10 * DAY, 1);
    task.send("other", 10 * DAY, 1);
    assertThat(series("app")).isEqualTo(2);
    assertThat(series("all")).isEqualTo(1);
    assertThat(counter("rondo.consolidate.new", "app")).isEqualTo(2);
    assertThat(gauge("rondo.consolidate.max.series", "app")).isEqualTo(7);
  }

  @Test
  void shouldReportTheSeriesOfARestartedTaskAndCountNoneAsNew() {
    task.send("app.a", 10 * DAY, 1);
    task.restart(policy("app", "^app", 7), policy("all", ".", 1_000));
    assertThat(series("app")).isEqualTo(1);
    assertThat(counter("rondo.consolidate.new", "app")).isEqualTo(1);
  }

  @Test
  void shouldFollowTheVersionOfThePolicies() {
    task.send("app.a", 10 * DAY, 1);
    task.send("other", 10 * DAY, 1);
    task.apply(policy("all", ".", 500));
    assertThat(series("all")).isEqualTo(2);
    assertThat(gauge("rondo.consolidate.max.series", "all")).isEqualTo(500);
    assertThat(task.registry.find("rondo.consolidate.series").tag("policy", "app").gauge())
        .as("of a policy that was removed")
        .isNull();
    assertThat(counter("rondo.consolidate.new", "all")).as("a move is not new").isEqualTo(1);
    assertThat(task.registry.get("rondo.consolidate.policy.version").gauge().value()).isEqualTo(2);
  }

  @Test
  void shouldCountRetiredSeries() {
    task.send("app.gone", 10 * DAY, 1);
    for (long tS = 10 * DAY; tS <= 12 * DAY; tS += 100) {
      task.send("other", tS, 1);
      task.setClock(tS);
    }
    assertThat(counter("rondo.consolidate.retired", "app")).isEqualTo(1);
    assertThat(counter("rondo.consolidate.retired", "all")).isZero();
    assertThat(series("app")).isZero();
  }

  @Test
  void shouldReportNothingOfAClosedTask() {
    task.send("app.a", 10 * DAY, 1);
    task.end();
    assertThat(task.registry.find("rondo.consolidate.series").gauges()).isEmpty();
    assertThat(task.registry.find("rondo.consolidate.policy.version").gauges()).isEmpty();
  }
}
