package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NewSeriesRateLimitTest {
  private static final long DAY_MS = 86_400_000;

  @Test
  void shouldRefillAfterAClockThatWasAhead() {
    NewSeriesRateLimit limit = new NewSeriesRateLimit(1, 1, 1);
    assertThat(limit.take(0, 0)).isTrue();
    assertThat(limit.take(0, 0)).as("the burst is used up").isFalse();
    assertThat(limit.take(30 * DAY_MS, 30 * DAY_MS)).isTrue();
    assertThat(limit.take(1_000, 1_000)).as("the clock is set back").isFalse();
    assertThat(limit.take(2_000, 2_000)).isTrue();
  }

  @Test
  void shouldNotCountTimesBeyondTheClock() {
    NewSeriesRateLimit limit = new NewSeriesRateLimit(1, 1, 1);
    assertThat(limit.take(0, 0)).isTrue();
    assertThat(limit.take(DAY_MS, 0)).isFalse();
    assertThat(limit.take(1_000, 1_000)).isTrue();
  }
}
