package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rondo.formats.DropReason;
import dev.rondo.schemas.BundleRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.data.MapEntry;
import org.junit.jupiter.api.Test;

/** Changes of the policies while points flow. Times are seconds. */
class PolicyChangeTest {
  private static final String BASE =
      "{name: all, match: '.', step: 10s, archives: ['10s:1h', '1m:1d']}";

  private final OneTask task = new OneTask(1_000, BASE);

  /** Sends 1, 2, 3 … every 10 s after {@code fromS}, up to {@code toS}. */
  private void send(String ident, long fromS, long toS) {
    for (long tS = fromS + 10; tS <= toS; tS += 10) {
      task.send(ident, tS, tS / 10.0);
      task.pass(10);
    }
  }

  private static String policy(String name, String match, String step, String archives) {
    return "{name: %s, match: '%s', step: %s, archives: [%s]}"
        .formatted(name, match, step, archives);
  }

  @Test
  void shouldContinueTheOpenSlotsOfRemainingArchives() {
    send("s", 1_200, 1_230);
    task.apply(policy("all", ".", "10s", "'10s:1h', '1m:1d', 'max:1m:1d'"));
    send("s", 1_230, 1_280);
    assertThat(task.valuesAt("all", 60, 0, 1)).containsKey(1_260L);
    assertThat(mean(1_260)).isCloseTo((122 + 123 + 124 + 125 + 126) / 5.0, within(1e-9));
    assertThat(task.rows)
        .filteredOn(row -> row.getCf().equals("max") && row.getT() == 1_260_000)
        .as("the new archive begins at the change")
        .last()
        .extracting(row -> row.getDp().get(0))
        .isEqualTo(126.0);
  }

  @Test
  void shouldCompleteTheOpenSlotInAnArchiveOfAnotherSize() {
    send("s", 1_200, 1_230);
    task.apply(policy("all", ".", "10s", "'10s:1h', '1m:2d'"));
    send("s", 1_230, 1_280);
    assertThat(mean(1_260)).isCloseTo((122 + 123 + 124 + 125 + 126) / 5.0, within(1e-9));
    assertThat(rows(60, 1_260)).last().extracting(BundleRow::getSize).isEqualTo(2 * 1_440);
  }

  @Test
  void shouldEmitTheOpenSlotOfARemovedArchive() {
    send("s", 1_200, 1_240);
    assertThat(rows(60, 1_260)).isEmpty();
    task.apply(policy("all", ".", "10s", "'10s:1h'"));
    task.pass(10);
    assertThat(mean(1_260)).isCloseTo((122 + 123 + 124) / 3.0, within(1e-9));
  }

  @Test
  void shouldContinueUnderAnotherStep() {
    send("s", 1_200, 1_230);
    task.apply(policy("all", ".", "5s", "'5s:1h', '1m:1d'"));
    send("s", 1_230, 1_280);
    assertThat(mean(1_260)).isCloseTo((122 + 123 + 124 + 125 + 126) / 5.0, within(1e-9));
    assertThat(task.valuesAt("all", 5, 0, 1)).contains(MapEntry.entry(1_235L, 124.0));
  }

  @Test
  void shouldMoveTheSeriesOfARenamedPolicyWithItsOpenSlots() {
    send("s", 1_200, 1_230);
    task.apply(policy("every", ".", "10s", "'10s:1h', '1m:1d'"));
    send("s", 1_230, 1_280);
    assertThat(task.locations).containsExactly("s@0:1", "s@1:1");
    assertThat(task.table.ds.get("s").getStartsAt()).isEqualTo(1_230_000);
    assertThat(task.table.ds.get("s").getPolicy()).isEqualTo("every");
    assertThat(task.valuesAt("all", 10, 0, 1)).containsOnlyKeys(1_220L, 1_230L);
    assertThat(task.valuesAt("every", 10, 1, 1)).containsKeys(1_240L, 1_250L, 1_260L);
    assertThat(mean(1_260)).isCloseTo((122 + 123 + 124 + 125 + 126) / 5.0, within(1e-9));
  }

  @Test
  void shouldMoveOnlySeriesThatAnotherPolicyNowMatches() {
    send("a", 1_200, 1_230);
    task.send("b", 1_231, 1);
    task.send("all", "pinned.a", 1_231, 1); // its source names the policy
    String team = policy("team", "^a|pinned", "10s", "'10s:1h'");
    task.apply(team, BASE);
    assertThat(task.locations)
        .containsExactly("a@0:1", "b@0:2", "pinned.a@0:3", "a@1:1", "pinned.a@1:2");
    task.send("all", "pinned.z", 1_232, 1);
    task.apply(
        policy("team", "^a|pinned", "10s", "'10s:1h'"), policy("z", "z", "10s", "'10s:1h'"), BASE);
    assertThat(task.locations)
        .last()
        .as("team covers it, its source says all")
        .isEqualTo("pinned.z@2:1");
  }

  @Test
  void shouldKeepAnUncoveredSeriesUntilItsPolicyReturns() {
    send("s", 1_200, 1_230);
    task.apply(policy("other", "^x", "10s", "'10s:1h'"));
    task.send("s", 1_240, 124);
    assertThat(task.dropped(DropReason.NO_POLICY)).isEqualTo(1);
    task.restart(policy("other", "^x", "10s", "'10s:1h'"));
    task.send("s", 1_250, 125);
    assertThat(task.dropped(DropReason.NO_POLICY)).isEqualTo(2);
    task.apply(BASE);
    send("s", 1_250, 1_290);
    assertThat(task.locations).containsExactly("s@0:1");
    assertThat(task.valuesAt("all", 10, 0, 1)).containsKeys(1_230L, 1_260L, 1_270L, 1_280L);
  }

  /** {@code java.util.regex} recurses for each character that a group with alternatives repeats. */
  @Test
  void shouldDropANewSeriesWhoseNameOverflowsAMatchAndKeepAnOldOne() {
    String name = "a.b".repeat(20_000);
    task.send(name, 1_210, 121);
    String recursive = policy("recursive", "^(?:[a-z]|[.])+$", "10s", "'10s:1h'");
    task.apply(recursive, BASE);
    send(name, 1_210, 1_240);
    assertThat(task.valuesAt("all", 10, 0, 1)).containsKeys(1_220L, 1_230L, 1_240L);
    task.send(name + ".c", 1_240, 124);
    assertThat(task.dropped(DropReason.NO_POLICY)).isEqualTo(1);
    task.restart(recursive, BASE);
    task.send("short", 1_250, 125);
    assertThat(task.table.ds.get("short").getPolicy()).isEqualTo("recursive");
  }

  @Test
  void shouldKeepASeriesWhereItIsWhileItsPartitionHasNoSegmentLeft() {
    send("s", 1_200, 1_230);
    task.useAllSegments("all");
    task.apply(policy("team", "^s", "10s", "'10s:1h'"), BASE);
    send("s", 1_230, 1_250);
    assertThat(task.locations).containsExactly("s@0:1");
    assertThat(task.valuesAt("all", 10, 0, 1)).containsKeys(1_230L, 1_240L, 1_250L);
    assertThat(task.state("s").location().policy().name()).isEqualTo("all");

    task.apply(policy("every", ".", "10s", "'10s:1h'"));
    task.send("s", 1_260, 126);
    assertThat(task.dropped(DropReason.TOO_MANY_SEGMENTS)).as("its policy is gone").isEqualTo(1);
    task.apply(BASE);
    send("s", 1_260, 1_280);
    assertThat(task.locations).containsExactly("s@0:1");
    assertThat(task.valuesAt("all", 10, 0, 1)).containsKeys(1_270L, 1_280L);
  }

  @Test
  void shouldContinueUnderTheAdoptedVersionAfterARestart() {
    send("s", 1_200, 1_230);
    task.apply(policy("every", ".", "10s", "'10s:1h', '1m:1d'"));
    task.restart(policy("every", ".", "10s", "'10s:1h', '1m:1d'"));
    send("s", 1_230, 1_280);
    assertThat(task.locations).containsExactly("s@0:1", "s@1:1");
    assertThat(mean(1_260)).isCloseTo((122 + 123 + 124 + 125 + 126) / 5.0, within(1e-9));
  }

  /** The archive of a minute that all versions have does not depend on the changes. */
  @Property(tries = 200)
  void shouldShowTheSameMinutesAsAPolicyThatNeverChanged(@ForAll long seed) {
    Random random = new Random(seed);
    OneTask changed = new OneTask(1_000, BASE);
    OneTask same = new OneTask(1_000, BASE);
    for (long tS = 1_200; tS < 2_400; tS += 1 + random.nextInt(30)) {
      if (random.nextInt(4) == 0) {
        String next = randomPolicy(random);
        if (random.nextBoolean()) {
          changed.apply(next);
        } else {
          changed.restart(next);
        }
      }
      double value = random.nextInt(1_000);
      long seconds = random.nextInt(3);
      for (OneTask each : List.of(changed, same)) {
        each.send("s", tS, value);
        each.pass(seconds);
      }
    }
    changed.pass(200);
    same.pass(200);
    Map<Long, Double> expected = minutes(same);
    Map<Long, Double> actual = minutes(changed);
    assertThat(actual.keySet()).isEqualTo(expected.keySet());
    expected.forEach((t, v) -> assertThat(actual.get(t)).isCloseTo(v, within(1e-6)));
  }

  private static String randomPolicy(Random random) {
    List<String> archives = new ArrayList<>();
    String step = List.of("2s", "5s", "10s", "60s").get(random.nextInt(4));
    archives.add(random.nextBoolean() ? "'1m:1d'" : "'1m:2d'");
    if (random.nextBoolean()) {
      archives.add("'%s:1h'".formatted(step));
    }
    if (random.nextBoolean()) {
      archives.add("'max:1m:1d'");
    }
    return "{name: %s, match: '.', step: %s, heartbeat: 100s, archives: [%s]}"
        .formatted(random.nextBoolean() ? "all" : "every", step, String.join(", ", archives));
  }

  /** Means of a minute, of all locations that the only series had. */
  private static Map<Long, Double> minutes(OneTask task) {
    Map<Long, Double> minutes = new TreeMap<>();
    for (BundleRow row : task.rows) {
      if (row.getCf().equals("wmean") && row.getStepMs() == 60_000) {
        minutes.put(row.getT(), row.getDp().get(row.getDp().size() - 1));
      }
    }
    return minutes;
  }

  private List<BundleRow> rows(long stepS, long endS) {
    return task.rows.stream()
        .filter(row -> row.getCf().equals("wmean"))
        .filter(row -> row.getStepMs() == stepS * 1000 && row.getT() == endS * 1000)
        .toList();
  }

  private double mean(long endS) {
    List<BundleRow> rows = rows(60, endS);
    return rows.get(rows.size() - 1).getDp().get(0);
  }
}
