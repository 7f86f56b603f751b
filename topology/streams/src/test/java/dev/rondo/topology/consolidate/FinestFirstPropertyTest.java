package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * A slot of the shortest archive is stored before the coarser one that contains it. Otherwise a
 * silent policy has its newest slot in the coarser archive only, and is shown in that step.
 */
class FinestFirstPropertyTest {
  private static final List<String> POLICIES =
      List.of(
          "{name: a, match: '^a', step: 10s, finest: sum, archives: ['10s:1d', '2m:1d', '1h:7d']}",
          "{name: a, match: '^a', step: 10s, finest: sum, archives: ['1m:1d', '1h:7d']}",
          "{name: a, match: '^a', step: 10s, heartbeat: 0, archives: ['10s:1d:0', '1h:7d:0']}",
          "{name: a, match: '^a', step: 10s, heartbeat: 2m, archives: ['10s:1d:0', '1h:7d:0']}");

  @Property(tries = 300)
  void shouldStoreAFinestSlotBeforeACoarserOne(@ForAll long seed) {
    Random random = new Random(seed);
    String policy = POLICIES.get(random.nextInt(POLICIES.size()));
    long stepMs = policy.contains("'10s:") ? 10_000 : 60_000;
    long nowS = 100_000L + random.nextInt(10_000);
    OneTask task = new OneTask(nowS, policy);
    for (int n = 0; n < 60; n++) {
      if (random.nextInt(10) == 0) {
        task.restart(policy);
      }
      task.send("a", nowS, 1);
      long seconds = random.nextInt(random.nextInt(10) == 0 ? 4_000 : 8);
      for (long second = 0; second < seconds; second++) {
        task.pass(1);
        nowS++;
        assertNoCoarserSlotAlone(task.table.shown("a"), stepMs);
      }
    }
  }

  private static void assertNoCoarserSlotAlone(Map<String, Double> shown, long shortestStepMs) {
    List<Stored> slots = shown.keySet().stream().map(Stored::parse).toList();
    for (Stored coarser : slots) {
      assertThat(slots)
          .as("slots in %s", coarser)
          .anyMatch(slot -> slot.stepMs() == shortestStepMs && slot.isIn(coarser));
    }
  }

  private record Stored(long stepMs, long endMs) {
    /** Parses a key of {@link OneTable#shown}. */
    static Stored parse(String key) {
      String[] words = key.split("[ @]+", -1);
      return new Stored(Long.parseLong(words[1]), Long.parseLong(words[3]));
    }

    boolean isIn(Stored other) {
      return endMs <= other.endMs() && endMs > other.endMs() - other.stepMs();
    }
  }
}
