package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import dev.rondo.topology.memory.MemoryBudget;
import org.junit.jupiter.api.Test;

/**
 * Series that are created on request, with slots written outside the topology. Times are seconds.
 */
class CreationTest {
  private static final long T = 1_700_000_000;
  private static final long H = 3_600;
  private static final String POLICY =
      "{name: p, match: '.*', step: 10s, heartbeat: 2m, expire.after: 2h, archives: ['10s:1d']}";

  private static OneTask started(String... policies) {
    OneTask task = new OneTask(T, policies);
    task.send("live", T, 1);
    return task;
  }

  private static long startsAtS(OneTask task, String ident) {
    return task.table.ds.get(ident).getStartsAt() / 1000;
  }

  /** Another series sends all the time, so that silence is measured. */
  private static void goOn(OneTask task, long fromS, long seconds) {
    for (long t = fromS; t <= fromS + seconds; t += 10) {
      task.send("live", t, 1);
      task.pass(10);
    }
  }

  @Test
  void shouldEmitTheLocationAndItsStart() {
    OneTask task = started(POLICY);
    task.create("", "files", "new", T - 600, T - 100, T);
    task.restart(POLICY);
    task.create("new", T - 700, T, T + 1); // reread, or requested again
    assertThat(task.locations).containsExactly("live@0:1", "new@0:2");
    assertThat(startsAtS(task, "new")).isEqualTo(T - 600);
    assertThat(task.sourceOf).containsEntry("new", "files");
    assertThat(task.registry.get("rondo.consolidate.new.requested").counter().count()).isEqualTo(1);
  }

  @Test
  void shouldStoreLivePointsAsThoseOfANewSeries() {
    OneTask task = started(POLICY);
    task.create("new", T - 600, T - 100, T);
    task.send("new", T, 1);
    task.send("new", T + 10, 7);
    task.pass(60);
    assertThat(task.valuesAt("p", 10, 0, 2)).containsOnlyKeys(T + 10).containsEntry(T + 10, 7.0);
    assertThat(task.locations).containsExactly("live@0:1", "new@0:2");
  }

  @Test
  void shouldMoveTheStartBackForAnOlderPoint() {
    OneTask task = started(POLICY);
    task.create("new", T - 600, T - 100, T);
    task.restart(POLICY);
    task.send("new", T - 900, 1);
    assertThat(startsAtS(task, "new")).isEqualTo(T - 900);
    assertThat(task.locations).containsExactly("live@0:1", "new@0:2", "new@0:2");
  }

  @Test
  void shouldNotCreateASeriesOfAnotherPartition() {
    OneTask task = started(POLICY);
    task.elsewhere.add("new");
    task.create("new", T - 600, T - 100, T);
    assertThat(task.locations).containsExactly("live@0:1");
  }

  @Test
  void shouldRefuseSeriesThatPoliciesRefuse() {
    OneTask task =
        started(
            "{name: d, match: 'drop.*', drop: true}",
            POLICY.replace("'.*'", "'live|new.*'").replace("name: p", "name: p, max.series: 2"));
    task.create("drop", T - 600, T - 100, T);
    task.create("none", T - 600, T - 100, T);
    task.create("new1", T - 600, T - 100, T);
    task.create("new2", T - 600, T - 100, T);
    assertThat(task.locations).containsExactly("live@0:1", "new1@0:2");
    task.create("p", "", "none", T - 600, T - 100, T);
    assertThat(task.locations).as("max.series").hasSize(2);
  }

  @Test
  void shouldUseThePolicyOfTheRequest() {
    OneTask task = started(POLICY, POLICY.replace("name: p", "name: q"));
    task.create("q", "", "new", T - 600, T - 100, T);
    assertThat(task.table.ds.get("new").getPolicy()).isEqualTo("q");
  }

  @Test
  void shouldNotCountAgainstTheLimitOfNewSeries() {
    OneTask task = new OneTask(T, MemoryBudget.ofHeap(0), 1, 1, POLICY);
    for (int n = 0; n < 3; n++) {
      task.create("new" + n, T - 600, T - 100, T);
    }
    task.send("live", T, 1);
    assertThat(task.locations).hasSize(4);
  }

  @Test
  void shouldRefuseASeriesDeletedSince() {
    OneTask task = started(POLICY);
    task.create("new", T - 600, T - 100, T);
    task.delete("new", T + 1);
    task.create("new", T - 600, T - 100, T);
    task.replay(POLICY);
    task.create("new", T - 600, T - 100, T);
    task.delete("new", T + 1);
    assertThat(task.locations).containsExactly("live@0:1", "new@0:2", "-new");
  }

  /** An earlier deletion stays in force, even if it is reread. */
  @Test
  void shouldStartAfterAnEarlierDeletion() {
    OneTask task = started(POLICY);
    task.delete("live", T + 1);
    task.create("live", T - 600, T + 100, T + 50);
    assertThat(task.table.ds.get("live").getStartsAt()).isEqualTo((T + 1) * 1000 + 1);
    task.replay(POLICY);
    task.delete("live", T + 1);
    assertThat(task.locations).containsExactly("live@0:1", "-live", "live@0:1");
  }

  @Test
  void shouldNotCreateASeriesThatWasRenamedSince() {
    OneTask task = started(POLICY);
    task.create("new", T - 600, T - 100, T);
    task.rename("new", "other", T + 1);
    task.create("new", T - 600, T - 100, T);
    assertThat(task.locations).containsExactly("live@0:1", "new@0:2", "new->other@" + (T + 1));
    task.send("new", T + 10, 1);
    assertThat(task.locations).endsWith("new@0:2");
  }

  @Test
  void shouldRetireOnceItsSlotsAndTheRequestAreOld() {
    OneTask task = started(POLICY);
    task.create("old", T - 10 * H, T - 9 * H, T);
    task.create("recent", T - 10 * H, T + H, T);
    goOn(task, T, H);
    task.restart(POLICY);
    goOn(task, T + H + 10, H - 120);
    assertThat(task.locations).doesNotContain("-old");
    goOn(task, T + 2 * H, H / 2);
    assertThat(task.locations).contains("-old").doesNotContain("-recent");
    goOn(task, T + 2 * H + H / 2, H);
    assertThat(task.locations).contains("-recent");
  }

  /** A position is reused only by a series that begins after the slots that were written. */
  @Test
  void shouldKeepThePositionWhileItHasValues() {
    OneTask task = started(POLICY);
    task.create("created", T - 600, T + 1000, T);
    task.restart(POLICY);
    task.delete("created", T + 500);
    task.send("early", T + 990, 1);
    task.send("late", T + 1000, 1);
    assertThat(task.locations)
        .containsExactly("live@0:1", "created@0:2", "-created", "early@0:3", "late@0:2");
  }

  /** Its slots stay at its previous location. */
  @Test
  void shouldStartAtTheNextLocationAfterItsSlots() {
    OneTask task = started(POLICY);
    task.create("new", T - 600, T - 100, T);
    String next = POLICY.replace("name: p", "name: q").replace("'.*'", "new");
    task.apply(next, POLICY);
    assertThat(task.table.ds.get("new").getPolicy()).isEqualTo("q");
    assertThat(startsAtS(task, "new")).isEqualTo(T - 100);
    goOn(task, T, 3 * H);
    assertThat(task.locations).as("it retires there").contains("-new");
    assertThat(task.dropped(DropReason.LATE)).isZero();
  }
}
