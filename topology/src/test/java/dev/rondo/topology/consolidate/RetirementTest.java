package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.topology.drops.DropReason;
import org.junit.jupiter.api.Test;

/** Which series are retired: those of which nothing comes any more. */
class RetirementTest {
  private static final long DAY = 86_400;
  private static final String POLICY =
      "{name: p, match: '.*', step: 10s, heartbeat: 2m, expire.after: 3d, archives: ['10s:30d']}";

  /** A sender that buffered for days sends it all, while others are at the present. */
  @Test
  void shouldNotRetireASeriesThatSendsWhatIsOld() {
    OneTask task = new OneTask(10 * DAY, POLICY);
    for (int n = 0; n < 10; n++) {
      task.send("live", 10 * DAY + n, 1);
      task.send("buffered", 5 * DAY + 10L * n, 1);
      task.pass(1);
    }
    assertThat(task.places).containsExactly("live@0:1", "buffered@0:2");
    assertThat(task.valuesAt("p", 10, 0, 2)).hasSize(9);
  }

  /** Its points of before and after are in a source partition that is read more slowly. */
  @Test
  void shouldNotRetireASeriesWhoseBacklogComesAfterThatOfOthers() {
    OneTask task = new OneTask(5 * DAY, POLICY);
    task.send("fast", 5 * DAY - 10, 1);
    task.send("slow", 5 * DAY - 10, 1);
    task.restartAfter(5 * DAY, POLICY);
    task.send("fast", 10 * DAY, 1);
    task.pass(10);
    task.send("slow", 5 * DAY, 2);
    assertThat(task.places).containsExactly("fast@0:1", "slow@0:2");
    assertThat(task.valuesAt("p", 10, 0, 2)).containsEntry(5 * DAY, 2.0);
  }

  /** Others are at the present: it is behind them, not silent. */
  @Test
  void shouldLetPointsWaitInTheReorderWindowOfASeriesThatIsBehind() {
    OneTask task =
        new OneTask(
            10 * DAY, "{name: p, match: '.*', step: 10s, reorder: 30s, archives: [10s:1d]}");
    task.send("live", 10 * DAY, 1);
    task.send("behind", 9 * DAY, 1);
    task.send("behind", 9 * DAY + 20, 3);
    task.pass(1);
    task.send("behind", 9 * DAY + 10, 2);
    assertThat(task.dropped(DropReason.LATE)).isZero();
    task.pass(200);
    assertThat(task.valuesAt("p", 10, 0, 2)).containsEntry(9 * DAY + 10, 2.0);
  }

  @Test
  void shouldRetireASeriesOfWhichNothingComesByTheTimeOfTheOthersAndByTheClock() {
    OneTask task = new OneTask(5 * DAY, POLICY);
    task.send("gone", 5 * DAY, 1);
    task.restartAfter(5 * DAY, POLICY);
    task.send("live", 10 * DAY, 1);
    task.pass(3_599);
    assertThat(task.places).doesNotContain("-gone");
    task.pass(1);
    assertThat(task.places).contains("-gone");
  }
}
