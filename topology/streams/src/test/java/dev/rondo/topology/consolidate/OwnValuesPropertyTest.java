package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Whatever happens to series, policies, archives and replays, tv shows only own values under a
 * series. Each series has one constant value, so that arithmetic cannot hide its origin.
 */
class OwnValuesPropertyTest {
  private static final String[] IDENTS = {"a1", "a2", "a3", "a4", "b1", "b2"};
  private static final String REST =
      "{name: b, match: '.*', step: 10s, heartbeat: 30s, expire.after: 1m, archives: ['10s:2m', '1m:10m']}";
  private static final String[][] FILES = {
    {a("30s", "0", "'10s:2m', '1m:10m'"), REST},
    {a("30s", "20s", "'10s:2m', '1m:10m'"), REST},
    {a("30s", "20s", "'1m:10m', '10s:2m'"), REST},
    {a("30s", "0", "'10s:2m'"), REST},
    {a("0", "0", "'10s:2m', '1m:10m'"), REST},
    {a("0", "20s", "'10s:2m', '1m:10m', '2m:20m:0'"), REST},
    {a("30s", "20s", "'10s:2m', '2m:20m:0'"), REST},
    {REST},
  };

  private static String a(String heartbeat, String reorder, String archives) {
    return "{name: a, match: '^a', step: 10s, heartbeat: %s, reorder: %s, expire.after: 2m, archives: [%s]}"
        .formatted(heartbeat, reorder, archives);
  }

  private record Sent(int ident, long tS) {}

  @Property(tries = 1000)
  void shouldShowOnlyItsOwnValuesOfASeries(@ForAll long seed) {
    Random random = new Random(seed);
    long nowS = 100_000;
    List<Sent> log = new ArrayList<>();
    List<String> story = new ArrayList<>();
    OneTask task = new OneTask(nowS, FILES[random.nextInt(FILES.length)]);
    for (int n = 0; n < 120; n++) {
      int what = random.nextInt(100);
      if (what < 60) {
        int ident = random.nextInt(IDENTS.length);
        if (random.nextInt(40) > 38 - ident * 4) {
          continue; // some are silent for a long time
        }
        long lateS = random.nextInt(5) == 0 ? random.nextInt(400) : random.nextInt(10);
        Sent sent = new Sent(ident, nowS - lateS);
        log.add(sent);
        story.add(IDENTS[ident] + "@" + sent.tS());
        task.send(IDENTS[ident], sent.tS(), ident + 1);
      } else if (what < 94) {
        long seconds = random.nextInt(6) == 0 ? random.nextInt(200) : random.nextInt(20);
        nowS += seconds;
        story.add("pass " + seconds);
        task.pass(seconds);
      } else if (what < 98) {
        int file = random.nextInt(FILES.length);
        story.add("restart " + file);
        task.restart(FILES[file]);
      } else {
        int file = random.nextInt(FILES.length);
        int from = random.nextInt(log.size() + 1);
        story.add("replay from " + from + " with " + file);
        task.replay(FILES[file]);
        for (Sent sent : log.subList(from, log.size())) {
          task.send(IDENTS[sent.ident()], sent.tS(), sent.ident() + 1);
          if (random.nextInt(20) == 0) {
            task.pass(1);
            nowS++;
          }
        }
      }
      check(task, story);
    }
  }

  private static void check(OneTask task, List<String> story) {
    assertThat(task.table.doubled()).as("%s", story).isEmpty();
    for (int ident = 0; ident < IDENTS.length; ident++) {
      if (task.table.ds.containsKey(IDENTS[ident])) {
        assertThat(task.table.shown(IDENTS[ident]).entrySet())
            .as("%s: %s", IDENTS[ident], story)
            .extracting(shown -> shown.getKey() + "=" + shown.getValue())
            .allMatch(valueOf(ident + 1.0));
      }
    }
  }

  private static Predicate<String> valueOf(double value) {
    return text -> text.endsWith("=" + value);
  }
}
