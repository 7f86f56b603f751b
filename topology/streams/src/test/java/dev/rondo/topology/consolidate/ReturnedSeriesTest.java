package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Series that have returned from another partition, in which they were while their source was
 * keyed.
 */
class ReturnedSeriesTest {
  private static final String POLICY =
      "{name: p, match: '.*', step: 10s, heartbeat: 2m, archives: ['10s:30d']}";

  private final OneTask task = new OneTask(100, POLICY);

  private void sendAll() {
    task.send("back", 100, 1);
    task.send("gone", 100, 1);
    task.send("always", 100, 1);
    assertThat(task.locations).containsExactly("back@0:1", "gone@0:2", "always@0:3");
    task.locations.clear();
  }

  @Test
  void shouldEmitItsLocationAgainOnceAfterARestart() {
    sendAll();
    task.elsewhere.add("back");
    task.elsewhere.add("gone");
    task.restartAfter(100, POLICY);
    task.pass(1);
    assertThat(task.locations).as("nothing has come yet").isEmpty();
    for (int n = 0; n < 3; n++) {
      task.send("back", 210 + 10L * n, 1);
      task.send("always", 210 + 10L * n, 1);
      task.pass(1);
    }
    assertThat(task.locations).containsExactly("back@0:1");
  }

  @Test
  void shouldEmitItsLocationAgainWithinAnHourWithoutARestart() {
    sendAll();
    task.elsewhere.add("back");
    task.pass(3_600);
    task.send("back", 3_700, 1);
    task.pass(1);
    task.send("back", 3_710, 1);
    task.pass(1);
    assertThat(task.locations).containsExactly("back@0:1");
  }

  @Test
  void shouldEmitANewSeriesOnce() {
    task.elsewhere.add("moved");
    task.send("moved", 100, 1);
    task.pass(10);
    assertThat(task.locations).containsExactly("moved@0:1");
  }
}
