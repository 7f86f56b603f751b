package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import org.junit.jupiter.api.Test;

/** Series are retired once they are silent. */
class RetirementTest {
  private static final long DAY = 86_400;
  private static final String POLICY =
      "{name: p, match: '.*', step: 10s, heartbeat: 2m, expire.after: 3d, archives: ['10s:30d']}";

  /** A sender sends the points of days at once, while others are at the present. */
  @Test
  void shouldNotRetireASeriesThatSendsOldPoints() {
    OneTask task = new OneTask(10 * DAY, POLICY);
    for (int n = 0; n < 10; n++) {
      task.send("live", 10 * DAY + n, 1);
      task.send("buffered", 5 * DAY + 10L * n, 1);
      task.pass(1);
    }
    assertThat(task.locations).containsExactly("live@0:1", "buffered@0:2");
    assertThat(task.valuesAt("p", 10, 0, 2)).hasSize(9);
  }

  /** Its points are in a source partition that is read more slowly. */
  @Test
  void shouldNotRetireASeriesWhoseBacklogIsReadLast() {
    OneTask task = new OneTask(5 * DAY, POLICY);
    task.send("fast", 5 * DAY - 10, 1);
    task.send("slow", 5 * DAY - 10, 1);
    task.restartAfter(5 * DAY, POLICY);
    sendAllTheTime(task, "fast", 5 * DAY, 10 * DAY);
    task.pass(10);
    task.send("slow", 5 * DAY, 2);
    assertThat(task.locations).containsExactly("fast@0:1", "slow@0:2");
    assertThat(task.valuesAt("p", 10, 0, 2)).containsEntry(5 * DAY, 2.0);
  }

  /** It is behind the others, not silent. */
  @Test
  void shouldBufferReorderedPointsOfASeriesThatIsBehind() {
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
  void shouldRetireASeriesThatIsSilentByBothClocks() {
    OneTask task = new OneTask(5 * DAY, POLICY);
    task.send("gone", 5 * DAY, 1);
    task.restartAfter(5 * DAY, POLICY);
    sendAllTheTime(task, "live", 5 * DAY, 10 * DAY);
    task.pass(3_599);
    assertThat(task.locations).doesNotContain("-gone");
    task.pass(1);
    assertThat(task.locations).contains("-gone");
  }

  @Test
  void shouldRetireNothingAfterAnOutage() {
    OneTask task = new OneTask(5 * DAY, POLICY);
    task.send("first", 5 * DAY, 1);
    task.send("later", 5 * DAY, 1);
    task.restartAfter(7 * DAY, POLICY);
    goOn(task, "first", 12 * DAY, 2 * 3_600);
    task.send("later", 12 * DAY + 2 * 3_600, 1);
    assertThat(task.locations).containsExactly("first@0:1", "later@0:2");
  }

  @Test
  void shouldRetireNothingWhileOrAfterAllSeriesAreSilent() {
    String policy =
        "{name: p, match: '.*', step: 10s, heartbeat: 2m, expire.after: 2h, archives: ['10s:1d']}";
    OneTask task = new OneTask(5 * DAY, policy);
    task.send("first", 5 * DAY, 1);
    task.send("later", 5 * DAY, 1);
    task.pass(DAY);
    goOn(task, "first", 6 * DAY, 3_600);
    assertThat(task.locations).containsExactly("first@0:1", "later@0:2");
    goOn(task, "first", 6 * DAY + 3_600, 3_600);
    assertThat(task.locations).as("silent while the other kept coming").contains("-later");
  }

  @Test
  void shouldRetireNothingWhenTheClockIsSetAYearForwardAndBack() {
    OneTask task = new OneTask(5 * DAY, POLICY);
    task.send("live", 5 * DAY, 1);
    task.send("fast", 5 * DAY, 1);
    task.send("rare", 5 * DAY, 1);
    task.setClock(370 * DAY);
    task.send("live", 5 * DAY + 10, 1);
    task.send("fast", 370 * DAY, 1);
    goOn(task, "live", 370 * DAY, 2 * 3_600);
    task.setClock(5 * DAY + 7_200);
    goOn(task, "other", 5 * DAY + 7_200, 2 * 3_600);
    task.send("rare", 5 * DAY + 14_400, 1);
    assertThat(task.locations).containsExactly("live@0:1", "fast@0:2", "rare@0:3", "other@1:1");
  }

  @Test
  void shouldRetireASilentSeriesAfterTheClockWasAYearAhead() {
    OneTask task = new OneTask(370 * DAY, POLICY);
    task.send("fast", 370 * DAY, 1);
    task.send("gone", 5 * DAY, 1);
    task.setClock(5 * DAY);
    sendAllTheTime(task, "live", 2 * DAY, 5 * DAY);
    goOn(task, "live", 5 * DAY, 3 * DAY);
    assertThat(task.locations).contains("-gone").doesNotContain("-fast");
  }

  /** Restarts are more frequent than {@code expire.after}, and the whole policy is silent. */
  @Test
  void shouldRetireASilentSeriesDespiteRestarts() {
    String others = "{name: q, match: '^live', step: 10s, heartbeat: 2m, archives: ['10s:30d']}";
    OneTask task = new OneTask(5 * DAY, others, POLICY);
    task.send("gone", 5 * DAY, 1);
    for (int hours = 0; hours < 66; hours += 6) {
      goOn(task, "live", 5 * DAY + 3_600L * hours, 6 * 3_600);
      task.restart(others, POLICY);
    }
    assertThat(task.locations).doesNotContain("-gone");
    goOn(task, "live", 5 * DAY + 66 * 3_600, 12 * 3_600);
    assertThat(task.locations).contains("-gone");
  }

  /** A point a minute, within a moment of the clock. */
  private static void sendAllTheTime(OneTask task, String ident, long fromS, long toS) {
    for (long tS = fromS; tS <= toS; tS += 60) {
      task.send(ident, tS, 1);
    }
  }

  /** A point a minute, by the clock. */
  private static void goOn(OneTask task, String ident, long fromS, long seconds) {
    for (long s = 60; s <= seconds; s += 60) {
      task.pass(60);
      task.send(ident, fromS + s, 1);
    }
    task.pass(1);
  }
}
