package dev.rondo.connection.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClockWatchTest {
  private Instant now = Instant.parse("2026-03-29T00:00:00Z");
  private final List<Duration> found = new ArrayList<>();
  private final ClockWatch watch = new ClockWatch(() -> now, found::add);

  @AfterEach
  void stop() {
    watch.close();
  }

  private void lookAfter(long ms) {
    now = now.plusMillis(ms);
    watch.check();
  }

  @Test
  void shouldDetectAClockThatIsSetBack() {
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

  @Test
  void shouldReportEachStepBackOnce() {
    lookAfter(-3_600_000);
    lookAfter(500);
    lookAfter(-60_000);
    lookAfter(500);
    assertThat(found).containsExactly(Duration.ofHours(1), Duration.ofMinutes(1));
  }
}
