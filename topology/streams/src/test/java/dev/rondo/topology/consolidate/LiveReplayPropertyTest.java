package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.schemas.BundleRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * A live replay leaves the same tables as a topology that reads the points live until all slots are
 * closed, and emits each slot of a series once.
 */
class LiveReplayPropertyTest {
  private static final String[] IDENTS = {"a1", "a2", "a3", "a4"};

  /** Largest age of a point relative to the newest that has arrived. */
  private static final int LATE_S = 15;

  @Property(tries = 300)
  void shouldEmitEachSlotOnce(@ForAll long seed) {
    Random random = new Random(seed);
    String heartbeat = random.nextBoolean() ? "30s" : "0";
    String reorder = random.nextBoolean() ? "20s" : "0";
    String policy =
        "{name: a, match: '^a', step: 10s, heartbeat: %s, reorder: %s, expire.after: 1d, emit.open: %%b, archives: ['10s:1h', 'max:10s:20m:0.8', '1m:2h', 'sum:5m:1d:0.1']}"
            .formatted(heartbeat, reorder);
    long nowS = 100_000;
    String live = policy.formatted(random.nextBoolean());
    String ofReplay = policy.formatted(false);
    OneTask once = new OneTask(nowS, live);
    OneTask replay = OneTask.ofLiveReplay(2 * nowS, ofReplay);
    for (int n = 0; n < 150; n++) {
      int what = random.nextInt(100);
      if (what < 60) {
        long tS = nowS - random.nextInt(random.nextInt(5) == 0 ? 15 : 4);
        String ident = IDENTS[random.nextInt(IDENTS.length)];
        double value = random.nextDouble();
        once.send(ident, tS, value);
        replay.send(ident, tS, value);
      } else if (what < 90) {
        long seconds = random.nextInt(random.nextInt(20) == 0 ? 800 : 8);
        nowS += seconds;
        once.pass(seconds);
      } else if (what < 96) {
        replay.pass(random.nextInt(60));
      } else {
        replay.restart(ofReplay);
      }
    }
    once.pass(4_000);
    replay.sendEnd();
    assertThat(table(replay)).isEqualTo(table(once));
    assertThat(replay.rows.stream().flatMap(row -> slots(row).stream())).doesNotHaveDuplicates();
  }

  /**
   * The slots that end in any range equal those of a run over all points, if the replay reads the
   * range extended by a heartbeat and the reorder window on both sides.
   */
  @Property(tries = 300)
  void shouldHaveTheSlotsOfTheRange(@ForAll long seed) {
    Random random = new Random(seed);
    long silenceS = random.nextBoolean() ? 30 : 10; // of a heartbeat, or a step in Whisper mode
    long reorderS = random.nextBoolean() ? 20 : 0;
    String policy =
        "{name: a, match: '^a', step: 10s, heartbeat: %s, reorder: %ds, expire.after: 1d, emit.open: false, archives: ['10s:6h', 'max:10s:6h:0.8', '1m:1d', 'sum:5m:1d:0.1']}"
            .formatted(silenceS == 10 ? "0" : "30s", reorderS);
    long fromS = 100_000L + random.nextInt(1_000);
    long toS = fromS + random.nextInt(1_500);
    long readFromS = Math.floorDiv(fromS, 300) * 300 - silenceS - reorderS - LATE_S;
    long readToS = toS + silenceS + reorderS + LATE_S;
    OneTask all = new OneTask(103_500, policy); // no point is ahead of the clock
    OneTask replay = OneTask.ofLiveReplay(200_000, policy);
    for (long nowS = 99_000; nowS < 103_500; nowS += random.nextInt(40) == 0 ? 100 : 4) {
      String ident = IDENTS[random.nextInt(IDENTS.length)];
      long tS = nowS - random.nextInt(random.nextInt(5) == 0 ? LATE_S : 4);
      double value = random.nextDouble();
      all.send(ident, tS, value);
      if (nowS >= readFromS && nowS <= readToS) {
        replay.send(ident, tS, value);
      }
    }
    all.pass(2_000);
    replay.sendEnd();
    assertThat(shown(replay, fromS, toS)).isEqualTo(shown(all, fromS, toS));
  }

  /** Known values of all series by archive and slot, of slots that end in a range. */
  private static Map<String, Double> shown(OneTask task, long fromS, long toS) {
    Map<String, Double> shown = new TreeMap<>();
    for (String ident : task.table.ds.keySet()) {
      task.table
          .shown(ident)
          .forEach(
              (slot, value) -> {
                long endMs = Long.parseLong(slot.substring(slot.indexOf('@') + 1));
                if (endMs > fromS * 1000 && endMs <= toS * 1000) {
                  shown.put(ident + " " + slot, value);
                }
              });
    }
    return shown;
  }

  /** Slots of series with a value in a row. */
  private static List<String> slots(BundleRow row) {
    var slots = new ArrayList<String>();
    for (int p = 0; p < row.getDp().size(); p++) {
      if (!Double.isNaN(row.getDp().get(p))) {
        slots.add(
            "%s %d %d %d @%d"
                .formatted(row.getCf(), row.getStepMs(), row.getSeg(), p + 1, row.getT()));
      }
    }
    return slots;
  }

  /** Known values by archive, slot and position. */
  private static Map<String, Double> table(OneTask task) {
    Map<String, Double> table = new TreeMap<>();
    task.table.ts.forEach(
        (key, slot) -> {
          for (int p = 0; p < slot.dp().length; p++) {
            if (!Double.isNaN(slot.dp()[p])) {
              table.put(key + " " + p + " @" + slot.endMs(), slot.dp()[p]);
            }
          }
        });
    return table;
  }
}
