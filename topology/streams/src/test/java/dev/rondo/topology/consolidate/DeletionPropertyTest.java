package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Random points, deletions, restarts and replays: a deleted series shows nothing from before its
 * deletion, and other series are unaffected. Times are seconds.
 */
class DeletionPropertyTest {
  private static final long T = 1_700_000_000;
  private static final String[] POLICIES = {
    "{name: p, match: '.*', step: 10s, heartbeat: 2m, archives: ['10s:1d', 'max:1m:1d']}",
    "{name: p, match: '.*', step: 10s, heartbeat: 2m, reorder: 20s, archives: ['10s:1d']}",
    "{name: p, match: '.*', step: 10s, heartbeat: 0, archives: ['10s:1d']}"
  };
  private static final int IDENTS = 7;

  private record Sent(String ident, long tS, double value) {}

  @Property(tries = 300)
  void shouldDeleteOnlyDeletedSeries(@ForAll long seed) {
    Random random = new Random(seed);
    String policy = POLICIES[random.nextInt(POLICIES.length)];
    OneTask task = new OneTask(T, policy);
    OneTask untouched = new OneTask(T, policy);
    List<Sent> sent = new ArrayList<>();
    Map<String, Long> deletedS = new HashMap<>();
    long nowS = T;
    for (int n = 0; n < 150; n++) {
      int action = random.nextInt(20);
      if (action < 15) {
        nowS += random.nextInt(8);
        Sent point = new Sent("s" + random.nextInt(IDENTS), nowS, random.nextInt(100));
        sent.add(point);
        send(task, point);
        send(untouched, point);
      } else if (action < 18) {
        String ident = "s" + random.nextInt(IDENTS / 2);
        boolean isKnown = task.table.ds.containsKey(ident) || deletedS.containsKey(ident);
        task.delete(ident, nowS);
        if (isKnown) {
          deletedS.put(ident, nowS);
        }
        assertThat(task.table.ds).doesNotContainKey(ident);
      } else if (action < 19) {
        task.restart(policy);
        untouched.restart(policy);
      } else {
        task.replay(policy);
        untouched.replay(policy);
        sent.forEach(point -> send(task, point));
        sent.forEach(point -> send(untouched, point));
      }
      nowS += 1;
    }
    task.pass(600);
    untouched.pass(600);
    assertThat(task.table.doubled()).isEmpty();
    task.table.ds.forEach(
        (ident, entry) -> {
          Map<String, Double> shown = task.table.shown(ident);
          if (deletedS.containsKey(ident)) {
            assertThat(entry.getStartsAt()).isGreaterThan(deletedS.get(ident) * 1000);
            assertThat(untouched.table.shown(ident).keySet()).as(ident).containsAll(shown.keySet());
          } else {
            assertThat(shown).as(ident).isEqualTo(untouched.table.shown(ident));
          }
        });
  }

  private static void send(OneTask task, Sent point) {
    task.send(point.ident(), point.tS(), point.value());
  }
}
