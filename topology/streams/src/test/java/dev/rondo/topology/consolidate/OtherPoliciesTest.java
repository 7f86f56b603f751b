package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Starts under another version of the policies. */
class OtherPoliciesTest {
  private static final String WAITS =
      "{name: a, match: '^a', step: 10s, reorder: 1m, archives: ['10s:1h']}";
  private static final String ALL = "{name: b, match: '.*', step: 10s, archives: ['10s:1h']}";

  @Test
  void shouldStoreBufferedPointsOfASilentSeriesWhoseWindowWasRemoved() {
    OneTask task = new OneTask(1_000, WAITS);
    task.send("a1", 100, 1);
    task.send("a1", 110, 2);
    task.restart("{name: a, match: '^a', step: 10s, archives: ['10s:1h']}");
    task.pass(300);
    assertThat(task.valuesAt("a", 10, 0, 1)).containsEntry(110L, 2.0);
  }

  @Test
  void shouldMoveBufferedPointsWithTheirSeries() {
    OneTask task = new OneTask(1_000, WAITS, ALL);
    task.send("a1", 100, 1);
    task.send("a1", 110, 2);
    task.restart(ALL);
    task.send("a1", 180, 3);
    task.restart(WAITS, ALL);
    task.pass(300);
    assertThat(task.locations).startsWith("a1@0:1", "a1@1:1").hasSize(3);
    assertThat(task.dropped(DropReason.LATE)).isZero();
    assertThat(task.valuesAt("b", 10, 1, 1)).containsEntry(110L, 2.0).containsEntry(180L, 3.0);
  }

  /** Its points were decoded before the start, when their source named a policy. */
  @Test
  void shouldUseTheMatchingPolicyIfThatOfTheSourceWasRemoved() {
    OneTask task = new OneTask(1_000, WAITS, ALL);
    task.send("b", "a1", 100, 1);
    task.restart(WAITS);
    task.send("b", "a2", 100, 1);
    assertThat(task.dropped(DropReason.NO_POLICY)).isZero();
    assertThat(task.locations).containsExactly("a1@0:1", "a1@1:1", "a2@1:2");
  }

  /** The day is gone from the file but not from the tables: readers must not be misled. */
  @Test
  void shouldNotReuseAPositionInWhichAPreviousArchiveHoldsALaterSlot() {
    String hour = "{name: p, match: '.*', step: 1h, heartbeat: 2h, archives: [%s]}";
    long last = 20 * 3600;
    OneTask task = new OneTask(last, hour.formatted("'1h:4h', '1d:10d'"));
    for (long t = 0; t <= last; t += 3600) {
      task.send("x", t, 7);
    }
    task.pass(61); // the day is shown: 20 of its 24 hours are known
    assertThat(task.valuesAt("p", 86_400, 0, 1)).isEqualTo(Map.of(86_400L, 7.0));

    task.restart(
        "{name: q, match: '^other', step: 1h, archives: ['1h:4h']}", hour.formatted("'1h:4h'"));
    for (int n = 1; n <= 9; n++) {
      task.pass(3600);
      task.send("other", last + n * 3600L, 1);
    }
    task.pass(1);
    assertThat(task.locations).contains("-x");
    task.send("y", 23 * 3600, 1);
    assertThat(task.locations.get(3))
        .as("to 24:00 the day shows 7 at position 1")
        .isEqualTo("y@0:2");
  }
}
