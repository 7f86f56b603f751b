package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.topology.drops.SetClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClockWatchTest {
  private final SetClock clock = new SetClock(1_774_746_000_000L);
  private final List<Duration> found = new ArrayList<>();
  private final ClockWatch watch = new ClockWatch(clock, found::add);

  @AfterEach
  void stop() {
    watch.close();
  }

  private void lookAfter(long ms) {
    clock.nowMs.addAndGet(ms);
    watch.look();
  }

  @Test
  void shouldFindAClockThatIsSetBack() {
    lookAfter(500);
    lookAfter(3_600_000);
    lookAfter(500);
    assertThat(found).isEmpty();
    lookAfter(-3_600_000);
    assertThat(found).containsExactly(Duration.ofHours(1));
  }

  @Test
  void shouldAddStepsBackUntilTheClockHasCaughtUp() {
    lookAfter(-2_000);
    lookAfter(500);
    assertThat(found).isEmpty();
    lookAfter(-2_000);
    assertThat(found).containsExactly(Duration.ofMillis(3_500));
    found.clear();
    lookAfter(5_000);
    lookAfter(-2_000);
    assertThat(found).isEmpty();
  }
}
