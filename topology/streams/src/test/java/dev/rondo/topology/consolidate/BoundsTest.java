package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import dev.rondo.topology.memory.MemoryAccount;
import dev.rondo.topology.memory.MemoryBudget;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A task whose instance is short of memory, or that receives too many new series. */
class BoundsTest {
  private static final String A =
      "{name: a, match: '^a', step: 10s, expire.after: 1h, archives: ['10s:1h']}";
  private static final String REST = "{name: rest, match: '.*', step: 10s, archives: ['10s:1d']}";
  private static final long MANY = 1_000_000;

  private static List<MemoryAccount> accounts(OneTask task) {
    MemoryBudget memory = task.memory;
    return List.of(memory.series(), memory.reorder(), memory.rows(), memory.merge());
  }

  @Test
  void shouldRefuseNewSeriesWhenTheHeapIsFull() {
    OneTask task = new OneTask(1_000, MemoryBudget.of(20_000, 0), MANY, MANY, A, REST);
    for (int n = 0; n < 100; n++) {
      task.send("a" + n, 1_000, 1);
      task.send("b" + n, 1_000, 1);
    }
    long refused = task.dropped(DropReason.NO_MEMORY);
    int known = task.locations.size();
    assertThat(known).isBetween(30, 40);
    assertThat(refused).isEqualTo(200 - known);
    assertThat(task.memory.series().bytes()).isBetween(10_000L, 10_500L);

    task.send("a0", 1_010, 2);
    task.send("b0", 1_010, 2);
    assertThat(task.dropped(DropReason.NO_MEMORY)).as("the rest continues").isEqualTo(refused);

    long before = task.memory.series().bytes();
    task.restart(A, REST);
    assertThat(task.memory.series().bytes()).as("counted once").isEqualTo(before);
    for (int m = 1; m <= 61; m++) {
      task.pass(60);
      task.send("b0", 1_010 + 60 * m, 1);
    }
    task.pass(1);
    assertThat(task.memory.series().bytes()).as("those of a are retired").isLessThan(10_000);
    task.send("c", 5_000, 1);
    assertThat(task.dropped(DropReason.NO_MEMORY)).isEqualTo(refused);
  }

  /** Their positions stay in the heap until the last of their slots has ended, here for a day. */
  @Test
  void shouldRefuseNewSeriesWhenPositionsOfDeletedOnesFillTheHeap() {
    String policy = "{name: p, match: '.*', step: 10s, archives: ['10s:1h', '1d:1y']}";
    long t = 86_400 + 100;
    OneTask task = new OneTask(t, MemoryBudget.of(200_000, 0), MANY, MANY, policy);
    task.send("kept", t, 1);
    for (int n = 0; n < 5_000; n++) {
      task.send("gone" + n, t, 1);
      task.delete("gone" + n, t + 1);
      if (n % 100 == 0) {
        task.pass(60);
      }
    }
    assertThat(positions(task)).isLessThan(100_000 / 100);

    task.restart(policy);
    long refused = task.dropped(DropReason.NO_MEMORY);
    int before = positions(task);
    task.send("refused", t + 10, 1);
    assertThat(task.dropped(DropReason.NO_MEMORY)).isEqualTo(refused + 1);
    for (int n = 0; n < 100; n++) {
      task.send("next" + n, t + 86_400, 1);
    }
    assertThat(task.dropped(DropReason.NO_MEMORY)).isEqualTo(refused + 1);
    assertThat(positions(task)).as("the same ones").isEqualTo(before);
  }

  @Test
  void shouldBoundThePositionsOfAPolicyWhoseSeriesAreDeleted() {
    String policy =
        "{name: p, match: '.*', max.series: 10, step: 10s, archives: ['10s:1h', '1d:1y']}";
    long t = 86_400 + 100;
    OneTask task = new OneTask(t, policy);
    for (int n = 0; n < 100; n++) {
      task.send("gone" + n, t, 1);
      task.delete("gone" + n, t + 1);
    }
    assertThat(positions(task)).isEqualTo(20);
    assertThat(task.dropped(DropReason.TOO_MANY_SERIES)).isEqualTo(80);
    task.send("next", t + 86_400, 1);
    assertThat(task.dropped(DropReason.TOO_MANY_SERIES)).isEqualTo(80);
  }

  /** Number of used and free positions. */
  private static int positions(OneTask task) {
    return (int)
        task.locations.stream()
            .filter(location -> location.contains("@"))
            .map(location -> location.substring(location.indexOf('@')))
            .distinct()
            .count();
  }

  @Test
  void shouldRefuseNewSeriesBeyondTheLimitOfTheInstance() {
    OneTask task = new OneTask(1_000, MemoryBudget.of(MANY, 3), MANY, MANY, A, REST);
    for (int n = 0; n < 5; n++) {
      task.send((n % 2 == 0 ? "a" : "b") + n, 1_000, 1);
    }
    assertThat(task.dropped(DropReason.NO_MEMORY)).isEqualTo(2);
  }

  @Test
  void shouldAcceptABurstOfNewSeriesAndThenARatePerSecond() {
    OneTask task = new OneTask(10_000, MemoryBudget.ofHeap(0), 2, 10, REST);
    for (int n = 0; n < 100; n++) {
      task.send("new;id=" + n, 1_000, 1);
      task.send("known", 1_000 + n, n);
    }
    assertThat(task.locations).as("known among them").hasSize(10);
    assertThat(task.dropped(DropReason.TOO_MANY_NEW_SERIES)).isEqualTo(91);
    assertThat(task.dropped(DropReason.LATE)).isZero();
    for (int n = 100; n < 200; n++) {
      task.send("new;id=" + n, 1_003, 1);
    }
    assertThat(task.locations).as("3 s later").hasSize(16);
    for (int n = 200; n < 300; n++) {
      task.send("new;id=" + n, 9_000, 1);
    }
    assertThat(task.locations).as("no more than the burst").hasSize(26);
    task.send("ahead", 20_000, 1);
    task.send("later", 10_000, 1);
    assertThat(task.dropped(DropReason.TOO_MANY_NEW_SERIES))
        .as("never ahead of the clock, 1000 s after the last")
        .isEqualTo(91 + 94 + 90);
  }

  @Test
  void shouldAcceptNewSeriesOfASourceWhileAnotherHasTooMany() {
    OneTask task = new OneTask(10_000, MemoryBudget.ofHeap(0), 2, 10, REST);
    for (int n = 0; n < 100; n++) {
      task.send("bs", "", "b;id=" + n, 1_000, 1);
    }
    assertThat(task.dropped(DropReason.TOO_MANY_NEW_SERIES)).isEqualTo(90);
    for (int n = 0; n < 10; n++) {
      task.send("as", "", "a;id=" + n, 1_000, 1);
    }
    assertThat(task.dropped(DropReason.TOO_MANY_NEW_SERIES)).isEqualTo(90);
  }

  @Test
  void shouldReleasePointsEarlyWhenTheMemoryIsFull() {
    String window =
        "{name: p, match: '.*', step: 10s, reorder: 1h, heartbeat: 2h, archives: ['10s:1d']}";
    OneTask task = new OneTask(100_000, MemoryBudget.of(40_000, 0), MANY, MANY, window);
    for (int t = 0; t < 300; t++) {
      for (int n = 0; n < 10; n++) {
        task.send("s" + n, 1_000 + 10 * t, t);
      }
    }
    assertThat(task.memory.reorder().bytes()).isBetween(4_000L, 7_000L);
    assertThat(task.dropped(DropReason.LATE)).isZero();
    assertThat(task.valuesAt("p", 10, 0, 1)).as("released").isNotEmpty();
    task.pass(12_000);
    assertThat(task.memory.reorder().bytes()).as("all released").isZero();
  }

  @Test
  void shouldKeepTheWindowOfASourceWhileAnotherFillsTheMerge() {
    String a = "{name: a, match: '^a', step: 10s, reorder: 1m, archives: ['10s:1d']}";
    MemoryBudget budget = MemoryBudget.of(400_000, 0);
    OneTask task = new OneTask(100_000, budget, MANY, MANY, a);
    budget.mergeBySource().of("bs").open().add(0, budget.merge().maxBytes());
    task.send("as", "", "a.x", 50_000, 1);
    task.send("as", "", "a.x", 50_140, 1);
    task.send("as", "", "a.x", 50_120, 1);
    assertThat(task.dropped(DropReason.LATE)).isZero();
  }

  @Test
  void shouldKeepTheWindowOfASourceWhileAnotherFillsTheMemory() {
    String a = "{name: a, match: '^a', step: 10s, reorder: 1m, archives: ['10s:1d']}";
    String b =
        "{name: b, match: '^b', step: 10s, reorder: 1h, heartbeat: 2h, archives: ['10s:1d']}";
    OneTask task = new OneTask(100_000, MemoryBudget.of(400_000, 0), MANY, MANY, a, b);
    task.send("as", "", "a.x", 50_000, 1);
    for (int t = 0; t < 3_000; t++) {
      task.send("bs", "", "b.y" + t % 10, 50_000 + t, t);
    }
    task.send("as", "", "a.x", 50_140, 1);
    task.send("as", "", "a.x", 50_120, 1);
    assertThat(task.dropped(DropReason.LATE)).isZero();
    assertThat(task.memory.reorder().bytes()).as("bounded").isLessThan(60_000);
  }

  @Test
  void shouldCountTheMemoryOfARestartedTaskOnce() {
    String window = "{name: p, match: '.*', step: 10s, reorder: 1m, archives: ['10s:1d']}";
    OneTask task = new OneTask(2_000, window, REST);
    for (int n = 0; n < 10; n++) {
      task.send("s" + n, 1_000, 1);
      task.send("s" + n, 1_100, 1);
      task.send("s" + n, 1_130, 1);
    }
    task.send("s0", 1_300, 1); // its row waits for the others
    List<Long> held = accounts(task).stream().map(MemoryAccount::bytes).toList();
    assertThat(held.subList(0, 3)).allMatch(bytes -> bytes > 0);
    for (int n = 0; n < 3; n++) {
      task.restart(window, REST);
      assertThat(accounts(task)).extracting(MemoryAccount::bytes).isEqualTo(held);
    }
    task.end();
    assertThat(accounts(task)).extracting(MemoryAccount::bytes).containsOnly(0L);
  }
}
