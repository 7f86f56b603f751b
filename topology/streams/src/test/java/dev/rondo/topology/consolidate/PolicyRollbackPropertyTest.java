package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.schemas.SeriesEntry;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * Versions of the policies match nothing, drop series, return and swap: in any case a running task
 * equals one restarted from its changelogs, and {@code ds} has its locations. Times are seconds.
 */
class PolicyRollbackPropertyTest {
  private static final long T = 1_700_000_000;
  private static final String ALL = policy("all", ".", "10s");
  private static final String A = policy("a", "^a", "5s");
  private static final String AB = policy("ab", "^[ab]", "10s");
  private static final String NOTHING = policy("nothing", "^zzz", "10s");
  private static final List<String[]> VERSIONS =
      List.of(
          version(ALL),
          version(A, ALL),
          version(AB, ALL),
          version(A, AB),
          version(AB, A, ALL),
          version(A),
          version(AB),
          version(NOTHING),
          version("{name: a, match: '^a', drop: true}", ALL),
          version("{name: all, match: '.', drop: true}", NOTHING),
          version("{name: drops, match: '^b', drop: true}", AB),
          version(policy("all", "^b", "5s"), A),
          version(policy("a", ".", "10s")));
  private static final List<String> IDENTS = List.of("a1", "a2", "a3", "b1", "b2", "c1", "c2");

  private static String policy(String name, String match, String step) {
    return "{name: %s, match: '%s', step: %s, heartbeat: 30s, expire.after: 5m, archives: ['%s:1d', '1m:1d']}"
        .formatted(name, match, step, step);
  }

  private static String[] version(String... policies) {
    return policies;
  }

  @Test
  void shouldMoveAReleasedSeriesBackToItsPolicy() {
    OneTask task = new OneTask(T, ALL);
    task.send("a1", T, 1);
    task.apply(NOTHING);
    task.apply(A);
    task.send("a1", T + 10, 1);
    task.apply(ALL);
    assertIsRestored(task);
    for (long tS = T + 20; tS <= T + 60; tS += 10) {
      task.send("a1", tS, 1);
    }
    assertThat(task.table.shown("a1")).containsKey("wmean 10000 8640 @" + (T + 50) * 1000);
  }

  @Test
  void shouldStoreBufferedPointsOfAReturningSeriesAtItsLocation() {
    OneTask task = OneTask.merging(T, ALL);
    task.sendMerged("a1", T, 1);
    task.sendMerged("a1", T + 60, 1);
    assertThat(task.locations).containsExactly("a1@0:1");
    task.apply(NOTHING);
    task.apply(ALL);
    task.sendMerged("a1", T + 120, 1);
    assertThat(task.locations).containsExactly("a1@0:1");
    assertThat(task.state("a1").location().newestMs()).isEqualTo((T + 60) * 1000);
  }

  @Property(tries = 200)
  void shouldEqualATaskRestartedFromItsChangelogs(@ForAll long seed) {
    Random random = new Random(seed);
    OneTask task = new OneTask(T, VERSIONS.get(0));
    long nowS = T;
    for (int n = 0; n < 40; n++) {
      String ident = IDENTS.get(random.nextInt(IDENTS.size()));
      int action = random.nextInt(20);
      if (action < 12) {
        task.send(random.nextInt(8) == 0 ? "ab" : "", ident, nowS, valueOf(ident));
      } else if (action < 16) {
        task.apply(VERSIONS.get(random.nextInt(VERSIONS.size())));
      } else if (action < 17) {
        task.delete(ident, nowS);
      } else if (action < 18) {
        task.create(ident, nowS / 10 * 10 - 60, nowS / 10 * 10 - 30, nowS);
      } else if (action < 19) {
        task.restart(VERSIONS.get(random.nextInt(VERSIONS.size())));
      } else {
        task.restartFromChangelogs();
      }
      int passed = random.nextInt(10) == 0 ? random.nextInt(60) : random.nextInt(10);
      task.pass(passed);
      nowS += passed;
      assertIsRestored(task);
    }
    for (String ident : task.table.ds.keySet()) {
      assertThat(task.table.shown(ident).values())
          .as(ident)
          .allMatch(value -> value == valueOf(ident));
    }
  }

  private static double valueOf(String ident) {
    return 1 + IDENTS.indexOf(ident);
  }

  private static void assertIsRestored(OneTask task) {
    OneTask restored = task.restored();
    for (String ident : IDENTS) {
      SeriesState.Location here = location(task, ident);
      assertThat(described(location(restored, ident)))
          .as("%s after a restart", ident)
          .isEqualTo(described(here));
      if (here != null) {
        SeriesEntry entry = task.table.ds.get(ident);
        assertThat(entry).as("%s in ds", ident).isNotNull();
        assertThat(entry.getPolicy()).as("%s in ds", ident).isEqualTo(here.policy().name());
        assertThat(List.of(entry.getSeg(), entry.getPos(), entry.getStartsAt()))
            .as("%s in ds", ident)
            .isEqualTo(List.of(here.segment(), here.position(), here.startsAtMs()));
      }
    }
    assertThat(task.table.doubled()).isEmpty();
    assertThat(restored.counts()).isEqualTo(task.counts());
    restored.end();
  }

  private static SeriesState.Location location(OneTask task, String ident) {
    SeriesState state = task.state(ident);
    return state == null ? null : state.location();
  }

  /** All settings but those that select series: a running segment keeps its first policy object. */
  private static String described(SeriesState.Location location) {
    return location == null
        ? "none"
        : "%s %d:%d from %d, newest %d, reordering %d, open %s"
            .formatted(
                location.policy().name(),
                location.segment(),
                location.position(),
                location.startsAtMs(),
                location.newestMs(),
                location.reordering(),
                location.open());
  }
}
