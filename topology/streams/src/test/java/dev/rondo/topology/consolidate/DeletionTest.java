package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import dev.rondo.topology.memory.MemoryBudget;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Series that are deleted while points flow. Times are seconds. */
class DeletionTest {
  private static final long T = 1_700_000_000;
  private static final String POLICY =
      "{name: p, match: '.*', step: 10s, heartbeat: 2m, archives: ['10s:1d']}";
  private static final String REORDERED =
      "{name: p, match: '.*', step: 10s, heartbeat: 2m, reorder: 30s, archives: ['10s:1d']}";

  private static OneTask started(String... policies) {
    OneTask task = new OneTask(T, policies);
    for (long t = T; t <= T + 30; t += 10) {
      task.send("gone", t, 1);
      task.send("kept", t, 2);
    }
    return task;
  }

  @Test
  void shouldForgetOnlyTheDeletedSeries() {
    OneTask task = started(POLICY);
    task.delete("gone", T + 31);
    task.send("kept", T + 40, 2);
    task.pass(60);
    assertThat(task.locations).containsExactly("gone@0:1", "kept@0:2", "-gone");
    assertThat(task.valuesAt("p", 10, 0, 2)).containsKeys(T + 10, T + 20, T + 30, T + 40);
  }

  @Test
  void shouldRecreateTheSeriesOnlyForALaterPoint() {
    OneTask task = started(POLICY);
    task.delete("gone", T + 31);
    task.send("gone", T + 31, 1);
    assertThat(task.dropped(DropReason.DELETED)).isEqualTo(1);
    task.send("gone", T + 40, 7);
    task.send("gone", T + 50, 7);
    assertThat(task.locations).containsExactly("gone@0:1", "kept@0:2", "-gone", "gone@0:1");
    assertThat(shown(task, "gone")).containsExactly(T + 50);
  }

  /**
   * Points that arrived before the deletion are deleted, too, even if they are later than the
   * request.
   */
  @Test
  void shouldDeletePointsThatArrivedAfterTheRequest() {
    OneTask task = started(POLICY);
    task.delete("gone", T + 15);
    task.send("gone", T + 30, 1);
    assertThat(task.dropped(DropReason.DELETED)).isEqualTo(1);
    assertThat(task.locations).endsWith("-gone");
  }

  @Test
  void shouldNotRestoreADeletedSeriesByAReplay() {
    OneTask task = started(POLICY);
    task.delete("gone", T + 31);
    task.replay(POLICY);
    for (long t = T; t <= T + 30; t += 10) {
      task.send("gone", t, 1);
    }
    assertThat(task.dropped(DropReason.DELETED)).isEqualTo(4);
    assertThat(task.locations).containsExactly("gone@0:1", "kept@0:2", "-gone");
  }

  /** Without a heartbeat the slot of a point ends after it. */
  @Test
  void shouldNotShowASlotThatWasEmittedUnderAnEarlierVersion() {
    OneTask task =
        new OneTask(T, "{name: p, match: '.*', step: 10s, heartbeat: 0, archives: ['10s:1d']}");
    task.send("gone", T + 60, 1);
    task.pass(90);
    task.restart(POLICY);
    task.delete("gone", T + 61);
    task.send("next", T + 69, 7);
    task.send("next", T + 80, 7);
    assertThat(shown(task, "next")).containsExactly(T + 80);
  }

  /** A replay may move the start of a series back, but not before its deletion. */
  @Test
  void shouldNotShowDeletedValuesAfterAReplay() {
    OneTask task = started(POLICY);
    task.delete("gone", T + 31);
    task.send("gone", T + 60, 7);
    task.send("gone", T + 70, 7);
    task.replay(POLICY);
    for (long t = T; t <= T + 70; t += 10) {
      task.send("gone", t, 3);
    }
    assertThat(task.dropped(DropReason.DELETED)).isEqualTo(4);
    assertThat(shown(task, "gone")).containsExactly(T + 50, T + 60, T + 70);
  }

  @Test
  void shouldIgnoreARereadRequest() {
    OneTask task = started(POLICY);
    task.delete("gone", T + 31);
    task.send("gone", T + 40, 7);
    task.restart(POLICY);
    task.delete("gone", T + 31);
    assertThat(task.locations).containsExactly("gone@0:1", "kept@0:2", "-gone", "gone@0:1");
  }

  @Test
  void shouldRememberADeletionAcrossARestart() {
    OneTask task = started(POLICY);
    task.delete("gone", T + 31);
    task.restartAfter(3_600, POLICY);
    task.send("gone", T + 20, 1);
    assertThat(task.dropped(DropReason.DELETED)).isEqualTo(1);
    task.delete("gone", T + 3_600);
    task.send("gone", T + 3_600, 1);
    assertThat(task.dropped(DropReason.DELETED)).as("deleted again").isEqualTo(2);
  }

  @Test
  void shouldDeletePointsInTheReorderWindow() {
    OneTask task = started(REORDERED);
    task.send("gone", T + 60, 1);
    task.delete("gone", T + 35);
    task.send("gone", T + 55, 1);
    task.pass(300);
    assertThat(task.dropped(DropReason.DELETED)).isEqualTo(1);
    assertThat(task.locations).endsWith("-gone");
    assertThat(task.table.ds).doesNotContainKey("gone");
  }

  @Test
  void shouldReuseThePositionWithoutShowingItsValues() {
    OneTask task = started(POLICY);
    task.delete("gone", T + 31);
    task.send("next", T + 40, 9);
    task.send("next", T + 60, 9);
    task.send("older", T + 10, 5);
    assertThat(task.locations).endsWith("-gone", "next@0:1", "older@0:3");
    assertThat(shown(task, "next")).containsExactly(T + 50, T + 60);
  }

  @Test
  void shouldKeepASeriesThatIsNotSilent() {
    OneTask task = started(POLICY);
    task.delete("gone", T + 100, OptionalLong.of((T + 29) * 1000));
    assertThat(task.locations).doesNotContain("-gone");
    task.delete("gone", T + 100, OptionalLong.of((T + 30) * 1000));
    assertThat(task.locations).endsWith("-gone");
  }

  /** It stays in the state in case its policy returns. */
  @Test
  void shouldDeleteASeriesWhosePolicyWasRemoved() {
    String other = "{name: q, match: '^kept', step: 10s, archives: ['10s:1d']}";
    OneTask task = started(POLICY);
    task.apply(other);
    task.delete("gone", T + 31);
    assertThat(task.locations).endsWith("-gone");
    task.restart(POLICY);
    task.send("gone", T + 20, 1);
    assertThat(task.dropped(DropReason.DELETED)).isEqualTo(1);
    task.send("gone", T + 40, 7);
    task.send("gone", T + 50, 7);
    assertThat(shown(task, "gone")).containsExactly(T + 50);
  }

  @Test
  void shouldIgnoreADeletionOfAnUnknownSeries() {
    OneTask task = started(POLICY);
    task.delete("never", T + 31);
    task.send("never", T + 20, 1);
    assertThat(task.dropped(DropReason.DELETED)).isZero();
    assertThat(task.locations).endsWith("never@0:3");
  }

  /** Ends of the slots that readers see. */
  private static List<Long> shown(OneTask task, String ident) {
    task.pass(60);
    return task.table.shown(ident).keySet().stream()
        .map(slot -> Long.parseLong(slot.substring(slot.indexOf('@') + 1)) / 1000)
        .sorted()
        .toList();
  }

  @Test
  void shouldRememberADeletionAfterAStartWithTheClockFarAhead() {
    OneTask task = new OneTask(T, POLICY);
    task.send("kept", T, 1);
    task.send("a", T, 1);
    task.delete("a", T);
    task.restartAfter(DeletedSeries.KEPT.plusDays(1).toSeconds(), POLICY);
    task.pass(660);
    task.send("a", T - 5, 1);
    assertThat(task.dropped(DropReason.DELETED)).isEqualTo(1);
    assertThat(task.table.ds).doesNotContainKey("a");
  }

  @Test
  void shouldForgetADeletionOncePointsAreMuchNewer() {
    OneTask task = new OneTask(T, POLICY);
    task.send("a", T, 1);
    task.delete("a", T);
    long laterS = DeletedSeries.KEPT.toSeconds() + 10;
    task.restartAfter(laterS, POLICY);
    task.send("kept", T + laterS, 1);
    task.pass(660);
    task.send("a", T - 5, 1);
    assertThat(task.table.ds).containsKey("a");
  }

  @Test
  void shouldRememberADeletionWhenAnotherSourceFillsTheMemory() {
    OneTask task = new OneTask(T, MemoryBudget.of(100_000, 0), 1_000_000, 1_000_000, POLICY);
    task.send("theirs", "", "a", T, 1);
    task.delete("a", T);
    for (int n = 0; task.dropped(DropReason.NO_MEMORY) == 0; n++) {
      task.send("ours", "", "b" + n, T + 10, 1);
      task.delete("b" + n, T + 10);
    }
    task.pass(660);
    task.send("theirs", "", "a", T - 5, 1);
    assertThat(task.dropped(DropReason.DELETED)).isEqualTo(1);
    task.send("ours", "", "new", T + 20, 1);
    assertThat(task.table.ds).as("room for new series").containsOnlyKeys("new");
  }

  /** Forgetting deletions would make no room. */
  @Test
  void shouldRememberADeletionAtTheLimitOfSeries() {
    OneTask task = new OneTask(T, MemoryBudget.of(10_000_000, 1), 1_000_000, 1_000_000, POLICY);
    task.send("a", T, 1);
    task.delete("a", T);
    task.send("b", T, 1);
    task.pass(660);
    task.send("a", T - 5, 1);
    assertThat(task.dropped(DropReason.DELETED)).isEqualTo(1);
  }
}
