package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Setting the instance's clock while points arrive changes no slot. */
class ClockJumpTest {
  private static final long DAY = 86_400;
  private static final long START = 1_000 * DAY;

  @ParameterizedTest
  @ValueSource(longs = {365 * DAY, -365 * DAY})
  void shouldLoseNoPointWhenTheClockIsSetAndSetBack(long jump) {
    String policy =
        "{name: p, match: '.*', step: 10s, reorder: 30s, archives: ['10s:1d', '1m:7d']}";
    assertThat(run(policy, jump)).isEqualTo(run(policy, 0)).hasSize(56);
  }

  @ParameterizedTest
  @ValueSource(longs = {365 * DAY, -365 * DAY})
  void shouldLoseNoPointInWhisperMode(long jump) {
    String policy = "{name: p, match: '.*', step: 10s, heartbeat: 0, archives: ['10s:1d']}";
    assertThat(run(policy, jump)).isEqualTo(run(policy, 0));
  }

  /** Points of ten minutes, every two swapped; the clock is wrong for the middle five. */
  private static Map<Long, Double> run(String policy, long jump) {
    OneTask task = new OneTask(START, policy);
    for (int n = 0; n < 60; n++) {
      long realS = START + 10L * n;
      if (n == 15) {
        task.setClock(realS + jump);
      } else if (n == 45) {
        task.setClock(realS);
      }
      int swapped = n ^ 1;
      task.send("a", START + 10L * swapped, swapped);
      task.pass(10);
    }
    task.pass(0);
    boolean isInOrder = policy.contains("reorder");
    if (isInOrder) {
      assertThat(task.dropped(DropReason.LATE)).isZero();
    }
    return task.valuesAt("p", 10, 0, 1);
  }

  /** Records prove that their points are not in the future, whatever the clock says. */
  @Test
  void shouldLoseNoSlotWhenItStartsWithAClockThatIsBehind() {
    String policy = "{name: p, match: '.*', step: 10s, archives: ['10s:6h']}";
    OneTask task = new OneTask(START, policy);
    for (int n = 0; n < 60; n++) {
      if (n == 20) {
        task.restartAfter(-3_600, policy);
      } else if (n == 40) {
        task.setClock(START + 10L * n);
      }
      task.send("a", START + 10L * n, n);
      task.pass(10);
    }
    assertThat(task.dropped(DropReason.SLOT_TOO_FAR_AHEAD)).isZero();
    assertThat(task.valuesAt("p", 10, 0, 1)).hasSize(59);
  }

  /** Otherwise the open hour would not be shown for a year. */
  @Test
  void shouldKeepShowingOpenSlotsWhenTheClockIsSetBack() {
    OneTask task =
        new OneTask(START, "{name: p, match: '.*', step: 10s, archives: ['10s:1d', '1h:7d']}");
    task.pass(1); // the first refresh, of nothing
    task.setClock(START - 365 * DAY);
    for (int n = 0; n < 240; n++) {
      task.send("a", START + 10L * n, 1);
      task.pass(10);
    }
    assertThat(task.valuesAt("p", 3_600, 0, 1)).containsEntry(START + 3_600, 1.0);
  }
}
