package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Random points of several topics, deletions, retirements, restarts and changes of policies: the
 * source of a series stays that of its first point, and the metrics agree with it. Times are
 * seconds.
 */
class SourcePropertyTest {
  private static final long T = 1_700_000_000;
  private static final int IDENTS = 12;
  private static final String ALL =
      "{name: all, match: '.', step: 10s, heartbeat: 1m, expire.after: 2m, max.series: 8,"
          + " archives: ['10s:1h']}";
  private static final String EVEN =
      "{name: even, match: '[02468]$', step: 5s, heartbeat: 1m, expire.after: 2m, max.series: 5,"
          + " archives: ['5s:1h']}";
  private static final List<String[]> VERSIONS =
      List.of(
          new String[] {ALL},
          new String[] {EVEN, ALL},
          new String[] {EVEN.replace("5s", "1s"), ALL});

  @Property(tries = 300)
  void shouldCountEachSeriesUnderItsFirstSource(@ForAll long seed) {
    Random random = new Random(seed);
    String[] policies = VERSIONS.get(0);
    OneTask task = new OneTask(T, policies);
    Map<String, String> made = new HashMap<>();
    long nowS = T;
    for (int n = 0; n < 150; n++) {
      nowS += 1 + random.nextInt(8);
      int action = random.nextInt(24);
      String ident = "s" + random.nextInt(IDENTS);
      if (action < 18) {
        String topic = "topic-" + random.nextInt(3);
        long refused = task.dropped(DropReason.TOO_MANY_SERIES);
        if (random.nextBoolean()) {
          task.sendKeyed(topic, ident, nowS, 1);
        } else {
          task.send(topic, "", ident, nowS, 1);
        }
        if (task.dropped(DropReason.TOO_MANY_SERIES) == refused) {
          made.putIfAbsent(ident, topic);
        }
      } else if (action < 20) {
        task.delete(ident, nowS);
        made.remove(ident);
      } else {
        if (action < 22) {
          task.restart(policies);
        } else if (action < 23) {
          policies = VERSIONS.get(random.nextInt(VERSIONS.size()));
          task.apply(policies);
        }
        task.setClock(nowS);
        made.keySet().retainAll(task.sourceOf.keySet()); // others have been retired
      }
      assertThat(task.sourceOf).isEqualTo(made);
      assertThat(series(task)).isEqualTo(counts(made));
    }
    assertThat(sum(task, "rondo.consolidate.new.by.source"))
        .isEqualTo(sum(task, "rondo.consolidate.new"));
    assertThat(sum(task, "rondo.consolidate.refused.by.source"))
        .isEqualTo(task.dropped(DropReason.TOO_MANY_SERIES));
  }

  private static Map<String, Integer> counts(Map<String, String> made) {
    return made.values().stream()
        .collect(Collectors.toMap(topic -> topic, topic -> 1, Integer::sum));
  }

  private static Map<String, Integer> series(OneTask task) {
    Map<String, Integer> series = new HashMap<>();
    for (Gauge gauge : task.registry.find("rondo.consolidate.series.by.source").gauges()) {
      series.put(gauge.getId().getTag("source"), (int) gauge.value());
    }
    series.values().removeAll(Collections.singleton(0));
    return series;
  }

  private static long sum(OneTask task, String counter) {
    return (long) task.registry.find(counter).counters().stream().mapToDouble(Counter::count).sum();
  }
}
