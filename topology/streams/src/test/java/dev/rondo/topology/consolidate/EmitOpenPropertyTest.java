package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * {@code emit.open} shows the mean of the known time of an open finest slot, and leaves the final
 * tables unchanged, also after restarts.
 */
class EmitOpenPropertyTest {
  private static final String[] IDENTS = {"a1", "a2", "a3", "a4"};
  private static final long STEP_S = 10;

  private static String policy(String heartbeat, String reorder, boolean emitsOpen) {
    return "{name: a, match: '^a', step: 10s, heartbeat: %s, reorder: %s, expire.after: 10m, emit.open: %b, archives: ['10s:1h', 'max:10s:20m:0.8', '1m:2h']}"
        .formatted(heartbeat, reorder, emitsOpen);
  }

  private record Sent(String ident, long tS, double value) {}

  /** The same events for a task with and one without. */
  @Property(tries = 300)
  void shouldLeaveTheSameTables(@ForAll long seed) {
    Random random = new Random(seed);
    String heartbeat = random.nextBoolean() ? "30s" : "0";
    String reorder = random.nextBoolean() ? "20s" : "0";
    String with = policy(heartbeat, reorder, true);
    String without = policy(heartbeat, reorder, false);
    long nowS = 100_000;
    OneTask on = new OneTask(nowS, with);
    OneTask off = new OneTask(nowS, without);
    for (int n = 0; n < 150; n++) {
      int what = random.nextInt(100);
      if (what < 60) {
        long tS = nowS - random.nextInt(random.nextInt(5) == 0 ? 30 : 4);
        Sent sent = new Sent(IDENTS[random.nextInt(IDENTS.length)], tS, random.nextDouble());
        on.send(sent.ident(), sent.tS(), sent.value());
        off.send(sent.ident(), sent.tS(), sent.value());
      } else if (what < 95) {
        long seconds = random.nextInt(random.nextInt(20) == 0 ? 800 : 8);
        nowS += seconds;
        on.pass(seconds);
        off.pass(seconds);
      } else {
        on.restart(with);
        off.restart(without);
      }
    }
    on.pass(2_000);
    off.pass(2_000);
    assertThat(table(on)).isEqualTo(table(off));
    assertThat(on.locations).isEqualTo(off.locations);
  }

  private static Map<String, String> table(OneTask task) {
    Map<String, String> table = new TreeMap<>();
    task.table.ts.forEach(
        (key, slot) -> table.put(key.toString(), slot.endMs() + Arrays.toString(slot.dp())));
    return table;
  }

  /** Each point is followed by a commit; so a slot is shown as it was when it reached its xff. */
  @Property(tries = 300)
  void shouldShowTheMeanOfTheKnownTime(@ForAll long seed) {
    Random random = new Random(seed);
    long nowS = 100_000;
    OneTask task = new OneTask(nowS, policy("30s", "0", true));
    Map<String, Sent> last = new HashMap<>();
    Map<String, Double> integral = new HashMap<>(); // of the open slot
    Map<String, Long> knownS = new HashMap<>();
    Map<String, Double> expected = new HashMap<>();
    for (int n = 0; n < 100; n++) {
      nowS += 2;
      String ident = IDENTS[random.nextInt(2)];
      Sent sent = new Sent(ident, nowS, random.nextDouble());
      Sent previous = last.put(ident, sent);
      task.send(ident, nowS, sent.value());
      task.pass(2);
      if (random.nextInt(20) == 0) {
        task.restart(policy("30s", "0", true));
      }
      if (previous == null) {
        continue;
      }
      long startS = Math.floorDiv(nowS - 1, STEP_S) * STEP_S;
      if (previous.tS() <= startS) {
        integral.put(ident, 0.0);
        knownS.put(ident, 0L);
        expected.remove(ident);
      }
      if (nowS - previous.tS() <= 30) {
        long sinceS = Math.max(startS, previous.tS());
        integral.merge(ident, (nowS - sinceS) * sent.value(), Double::sum);
        knownS.merge(ident, nowS - sinceS, Long::sum);
      }
      boolean isClosed = nowS % STEP_S == 0;
      if (2 * knownS.get(ident) >= STEP_S && (isClosed || !expected.containsKey(ident))) {
        expected.put(ident, integral.get(ident) / knownS.get(ident));
      }
      Double shown = task.table.shown(ident).get("wmean 10000 360 @" + (startS + STEP_S) * 1000);
      if (expected.containsKey(ident)) {
        assertThat(shown).as("%s at %d", ident, nowS).isNotNull();
        assertThat(shown).isCloseTo(expected.get(ident), Offset.offset(1e-12));
      } else {
        assertThat(shown).as("%s at %d", ident, nowS).isNull();
      }
    }
  }

  @Test
  void shouldSendOneMoreRowForManyPointsOfManySeries() {
    OneTask task =
        new OneTask(
            100_000, "{name: a, match: '^a', step: 10s, emit.open: true, archives: ['10s:1h']}");
    for (long tS = 100_000; tS < 100_010; tS++) {
      for (String ident : List.of("a1", "a2", "a3")) {
        task.send(ident, tS, (double) tS);
      }
      task.pass(1);
    }
    assertThat(task.rows).as("open").hasSize(1);
    assertThat(task.rows.get(0).getDp()).hasSize(3);
    for (String ident : List.of("a1", "a2", "a3")) {
      task.send(ident, 100_010, 1);
    }
    task.pass(1);
    assertThat(task.rows).as("closed").hasSize(2);
  }

  @Test
  void shouldSendAtMostOneRowACommitForSeriesOfDifferentPhases() {
    OneTask task =
        new OneTask(
            100_000, "{name: a, match: '^a', step: 10s, emit.open: true, archives: ['10s:1h']}");
    for (String ident : List.of("a1", "a2", "a3")) {
      task.send(ident, 100_000, 1);
    }
    task.send("a1", 100_006, 1);
    task.pass(0);
    task.send("a2", 100_007, 2);
    task.send("a3", 100_007, 3);
    task.pass(1);
    task.send("a1", 100_008, 2);
    task.pass(1);
    assertThat(task.rows).hasSize(1);
    assertThat(task.rows.get(0).getDp()).containsExactly(1.0, 2.0, 3.0);
  }
}
