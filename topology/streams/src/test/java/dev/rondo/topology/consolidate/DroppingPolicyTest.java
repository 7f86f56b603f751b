package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import org.junit.jupiter.api.Test;

/** Policies that drop the points of their series. Times are seconds. */
class DroppingPolicyTest {
  private static final long T = 1_700_000_000;
  private static final String ALL =
      "{name: all, match: '.*', step: 10s, heartbeat: 2m, expire.after: 2h, archives: ['10s:1d']}";
  private static final String DROPS = "{name: drops, match: '^debug', drop: true}";

  private static OneTask started(String... policies) {
    OneTask task = new OneTask(T, policies);
    sendBoth(task, "", T, T + 30);
    return task;
  }

  private static void sendBoth(OneTask task, String policy, long fromS, long toS) {
    for (long t = fromS; t <= toS; t += 10) {
      task.send(policy, "debug", t, 1);
      task.send(policy, "kept", t, 2);
    }
  }

  @Test
  void shouldKeepASeriesOut() {
    OneTask task = started(DROPS, ALL);
    assertThat(task.locations).containsExactly("kept@0:1");
    assertThat(task.dropped(DropReason.POLICY_DROPS)).isEqualTo(4);
  }

  @Test
  void shouldDropPointsOfAKnownSeriesAndKeepItsHistory() {
    OneTask task = started(ALL);
    task.apply(DROPS, ALL);
    sendBoth(task, "", T + 40, T + 60);
    assertThat(task.dropped(DropReason.POLICY_DROPS)).isEqualTo(3);
    task.restart(DROPS, ALL);
    sendBoth(task, "", T + 70, T + 80);
    assertThat(task.dropped(DropReason.POLICY_DROPS)).as("after a restart").isEqualTo(5);
    task.pass(60);
    assertThat(task.locations).containsExactly("debug@0:1", "kept@0:2");
    assertThat(task.valuesAt("all", 10, 0, 1)).containsOnlyKeys(T + 10, T + 20, T + 30);
    assertThat(task.valuesAt("all", 10, 0, 2)).hasSize(8);
  }

  @Test
  void shouldStoreASeriesAgainAtItsLocation() {
    OneTask task = started(ALL);
    task.apply(DROPS, ALL);
    sendBoth(task, "", T + 40, T + 60);
    task.apply(ALL);
    sendBoth(task, "", T + 70, T + 80);
    task.pass(60);
    assertThat(task.locations).containsExactly("debug@0:1", "kept@0:2");
    assertThat(task.valuesAt("all", 10, 0, 1)).containsKeys(T + 10, T + 30, T + 70, T + 80);
  }

  @Test
  void shouldRetireASilentDroppedSeries() {
    OneTask task = started(ALL);
    task.apply(DROPS, ALL);
    for (long s = 60; s <= 3 * 3_600; s += 60) {
      task.pass(60);
      sendBoth(task, "", T + s, T + s);
    }
    assertThat(task.locations).endsWith("-debug").doesNotContain("-kept");
  }

  @Test
  void shouldStoreASeriesWhoseSourceNamesAPolicy() {
    OneTask task = new OneTask(T, ALL);
    sendBoth(task, "all", T, T + 30);
    task.apply(DROPS, ALL);
    sendBoth(task, "all", T + 40, T + 60);
    task.restart(DROPS, ALL);
    sendBoth(task, "all", T + 70, T + 80);
    assertThat(task.dropped(DropReason.POLICY_DROPS)).isZero();
    assertThat(task.valuesAt("all", 10, 0, 1).keySet())
        .isEqualTo(task.valuesAt("all", 10, 0, 2).keySet());
  }

  @Test
  void shouldDropTheSeriesOfASourceThatNamesADroppingPolicy() {
    OneTask task = new OneTask(T, DROPS, ALL);
    task.send("drops", "x", T, 1);
    task.send("", "x", T + 10, 1);
    task.send("drops", "x", T + 20, 1);
    assertThat(task.dropped(DropReason.POLICY_DROPS)).isEqualTo(2);
    assertThat(task.locations).containsExactly("x@0:1");
  }

  /** A policy that starts dropping ends its segments; they continue if it stores again. */
  @Test
  void shouldDropTheSeriesOfAPolicyThatStoredThem() {
    String stores = "{name: drops, match: '^debug', step: 10s, archives: ['10s:1d']}";
    OneTask task = started(stores, ALL);
    task.apply(DROPS, ALL);
    sendBoth(task, "", T + 40, T + 50);
    task.restart(DROPS, ALL);
    sendBoth(task, "", T + 60, T + 60);
    assertThat(task.dropped(DropReason.POLICY_DROPS)).isEqualTo(3);
    task.apply(stores, ALL);
    sendBoth(task, "", T + 70, T + 80);
    task.pass(60);
    assertThat(task.locations).containsExactly("debug@0:1", "kept@1:1");
    assertThat(task.valuesAt("drops", 10, 0, 1)).containsKeys(T + 30, T + 70, T + 80);
  }

  @Test
  void shouldDropSeriesThatANarrowedPolicyLeavesToACatchAll() {
    OneTask task = started(ALL);
    task.apply(ALL.replace(".*", "^kept"), "{name: rest, match: '.*', drop: true}");
    sendBoth(task, "", T + 40, T + 50);
    assertThat(task.dropped(DropReason.POLICY_DROPS)).isEqualTo(2);
    task.pass(60);
    assertThat(task.valuesAt("all", 10, 0, 1)).containsOnlyKeys(T + 10, T + 20, T + 30);
  }
}
