package dev.rondo.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TicksTest {
  @ParameterizedTest
  @CsvSource({"20000, 20000, 30000", "20001, 20000, 30000", "29999, 20000, 30000"})
  void shouldAlignToTheInterval(long nowMs, long latest, long next) {
    Ticks ticks = at(nowMs, 10_000);

    assertThat(ticks.latest()).isEqualTo(latest);
    assertThat(ticks.next()).isEqualTo(next);
  }

  @Test
  void shouldReturnTimeLeft() {
    assertThat(at(29_999, 10_000).untilMs(30_000)).isEqualTo(1);
    assertThat(at(30_002, 10_000).untilMs(30_000)).isEqualTo(-2);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1000, 0, 999, 1500})
  void shouldRejectAnIntervalOfFractionalSeconds(long intervalMs) {
    assertThatThrownBy(() -> at(0, intervalMs))
        .hasMessage("interval " + intervalMs + " ms is not a whole number of seconds, 1 s or more");
  }

  private static Ticks at(long nowMs, long intervalMs) {
    return new Ticks(Clock.fixed(Instant.ofEpochMilli(nowMs), ZoneOffset.UTC), intervalMs);
  }
}
