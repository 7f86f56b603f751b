package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Random points, creations whose slots are written at once, deletions, retirements and restarts:
 * each series shows all of its slots and no others. Times are seconds.
 */
class CreationPropertyTest {
  private static final long T = 1_700_000_000 / 10 * 10;
  private static final int SIZE = 8640;
  private static final String[] POLICIES = {
    "{name: p, match: '.*', step: 10s, heartbeat: 20s, expire.after: 1m, archives: ['10s:1d']}",
    "{name: p, match: '.*', step: 10s, heartbeat: 20s, expire.after: 1m, reorder: 20s, archives:"
        + " ['10s:1d']}",
    "{name: p, match: '.*', step: 10s, heartbeat: 0, expire.after: 1m, archives: ['10s:1d']}"
  };
  private static final int IDENTS = 7;

  @Property(tries = 200)
  void shouldShowTheSlotsOfASeriesAndOfNoOther(@ForAll long seed) {
    Random random = new Random(seed);
    String policy = POLICIES[random.nextInt(POLICIES.length)];
    OneTask task = new OneTask(T, policy);
    Map<String, List<Long>> written = new HashMap<>();
    long nowS = T;
    for (int n = 0; n < 150; n++) {
      String ident = "s" + random.nextInt(IDENTS);
      int action = random.nextInt(20);
      if (action < 13) {
        task.send(ident, nowS - random.nextInt(5), valueOf(ident));
      } else if (action < 17) {
        long untilS = (nowS - random.nextInt(300)) / 10 * 10;
        long fromS = untilS - 10L * (1 + random.nextInt(20));
        boolean isNew = !task.table.ds.containsKey(ident);
        task.create(ident, fromS, untilS, nowS);
        if (isNew && task.table.ds.containsKey(ident)) {
          written.put(ident, write(task, ident, fromS, untilS));
        }
      } else if (action < 19) {
        task.delete(ident, nowS);
      } else {
        task.restart(policy);
      }
      int passed = random.nextInt(10);
      task.pass(passed);
      nowS += passed;
      written.keySet().retainAll(task.table.ds.keySet());
    }
    task.pass(30);

    assertThat(task.table.doubled()).isEmpty();
    for (String ident : task.table.ds.keySet()) {
      Map<String, Double> shown = task.table.shown(ident);
      assertThat(shown.values()).as(ident).allMatch(value -> value == valueOf(ident));
      for (long endS : written.getOrDefault(ident, List.of())) {
        assertThat(shown).as(ident).containsKey("wmean 10000 8640 @" + endS * 1000);
      }
    }
  }

  private static double valueOf(String ident) {
    return ident.charAt(1);
  }

  /** Writes the slots of a series that are after its deletion; returns their ends. */
  private static List<Long> write(OneTask task, String ident, long fromS, long untilS) {
    SeriesEntry entry = task.table.ds.get(ident);
    List<Long> ends = new ArrayList<>();
    for (long endS = fromS + 10; endS <= untilS; endS += 10) {
      List<Double> dp = new ArrayList<>(Collections.nCopies(entry.getPos(), Double.NaN));
      dp.set(entry.getPos() - 1, valueOf(ident));
      BundleRow row =
          BundleRow.newBuilder()
              .setPolicy("p")
              .setCf("wmean")
              .setStepMs(10_000)
              .setSize(SIZE)
              .setSeg(entry.getSeg())
              .setI((int) (endS / 10 % SIZE))
              .setWidth(3)
              .setXff(0.5)
              .setT(endS * 1000)
              .setDp(dp)
              .build();
      task.table.put(row);
      if (endS * 1000 > entry.getStartsAt()) {
        ends.add(endS);
      }
    }
    return ends;
  }
}
