package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import org.junit.jupiter.api.Test;

/** Series that are renamed while points flow. Times are seconds. */
class RenameTest {
  private static final long T = 1_700_000_000;
  private static final String POLICY =
      "{name: p, match: '.*', step: 10s, heartbeat: 2m, archives: ['10s:1d']}";
  private static final String REORDERED =
      "{name: p, match: '.*', step: 10s, heartbeat: 2m, reorder: 30s, archives: ['10s:1d']}";

  private static OneTask started(String... policies) {
    OneTask task = new OneTask(T, policies);
    for (long t = T; t <= T + 30; t += 10) {
      task.send("old", t, 1);
      task.send("kept", t, 2);
    }
    return task;
  }

  @Test
  void shouldEmitTheNewName() {
    OneTask task = started(POLICY);
    task.rename("old", "new", T + 31);
    task.pass(60);
    assertThat(task.locations).containsExactly("old@0:1", "kept@0:2", "old->new@" + (T + 31));
    assertThat(task.valuesAt("p", 10, 0, 1)).containsKeys(T + 10, T + 20, T + 30);
    assertThat(task.registry.get("rondo.consolidate.renamed").counter().count()).isEqualTo(1);
  }

  @Test
  void shouldEmitBufferedPoints() {
    OneTask task = started(REORDERED);
    task.rename("old", "new", T + 31);
    task.pass(300);
    assertThat(task.valuesAt("p", 10, 0, 1)).containsKeys(T + 10, T + 20, T + 30);
  }

  @Test
  void shouldRecreateTheOldNameOnlyForALaterPoint() {
    OneTask task = started(POLICY);
    task.rename("old", "new", T + 15);
    task.send("old", T + 30, 1);
    assertThat(task.dropped(DropReason.DELETED)).isEqualTo(1);
    task.send("old", T + 40, 7);
    assertThat(task.locations).endsWith("old->new@" + (T + 30), "old@0:1");
  }

  @Test
  void shouldNotRestoreTheOldNameByARestartOrAReplay() {
    OneTask task = started(POLICY);
    task.rename("old", "new", T + 31);
    task.restart(POLICY);
    task.rename("old", "new", T + 31);
    task.replay(POLICY);
    for (long t = T; t <= T + 30; t += 10) {
      task.send("old", t, 1);
    }
    assertThat(task.dropped(DropReason.DELETED)).isEqualTo(4);
    assertThat(task.locations).containsExactly("old@0:1", "kept@0:2", "old->new@" + (T + 31));
  }

  @Test
  void shouldIgnoreARequestThatIsOlderThanTheSeries() {
    OneTask task = started(POLICY);
    task.rename("old", "new", T + 31);
    task.send("old", T + 40, 7);
    task.rename("old", "new", T + 31);
    assertThat(task.locations).endsWith("old->new@" + (T + 31), "old@0:1");
  }

  /** Its history stays at its location, so it can be continued. */
  @Test
  void shouldRenameASeriesWhosePolicyWasRemoved() {
    OneTask task = started(POLICY);
    String other = POLICY.replace("match: '.*'", "match: kept").replace("name: p", "name: other");
    task.apply(other);
    task.rename("old", "new", T + 31);
    assertThat(task.locations).endsWith("old->new@" + (T + 31));
    task.apply(POLICY);
    task.send("old", T + 30, 1);
    assertThat(task.dropped(DropReason.DELETED)).isEqualTo(1);
    task.rename("old", "new", T + 31);
    assertThat(task.locations).filteredOn(line -> line.startsWith("old->")).hasSize(1);
  }

  @Test
  void shouldIgnoreARenameOfAnUnknownSeries() {
    OneTask task = started(POLICY);
    task.rename("none", "new", T + 31);
    assertThat(task.locations).containsExactly("old@0:1", "kept@0:2");
  }
}
