package dev.rondo.topology.saturation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.topology.lag.Lag;
import org.junit.jupiter.api.Test;

class ResponseTimeTest {
  @Test
  void shouldBeOneWithoutQueue() {
    assertThat(ratio(100, 0.0, 0.05)).isEqualTo(1);
    assertThat(ratio(100, 0.002, 0.003)).as("a fetch takes longer").isEqualTo(1);
    assertThat(ResponseTime.ratio(Lag.Totals.NONE, Lag.Totals.NONE, 0)).as("idle").isEqualTo(1);
  }

  @Test
  void shouldBeTheRatioOfResponseTimeToServiceTime() {
    assertThat(ratio(100, 0.05, 0.1)).isEqualTo(2);
    assertThat(ratio(7, 3_600, 3_602)).isEqualTo(1_801);
  }

  @Test
  void shouldGrowWhileNothingIsDecoded() {
    assertThat(ResponseTime.ratio(Lag.Totals.NONE, Lag.Totals.NONE, 30)).isEqualTo(3_000);
  }

  /** Mean lags of all points when they were fetched and when they were decoded, seconds. */
  private static double ratio(long points, double fetchedSeconds, double decodedSeconds) {
    return ResponseTime.ratio(
        new Lag.Totals(points, points * fetchedSeconds),
        new Lag.Totals(points, points * decodedSeconds),
        0);
  }
}
