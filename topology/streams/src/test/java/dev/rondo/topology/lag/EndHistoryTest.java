package dev.rondo.topology.lag;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EndHistoryTest {
  private static final long UNKNOWN = -1;

  private final EndHistory history = new EndHistory();

  @Test
  void shouldUseTheRecordTimeBeforeTheFirstSample() {
    assertThat(history.arrivedMs(7, 5_000, 9_000)).isEqualTo(5_000);
    assertThat(history.arrivedMs(7, 10_000, 9_000)).isEqualTo(9_000);
    assertThat(history.arrivedMs(7, UNKNOWN, 9_000)).isEqualTo(9_000);
  }

  @Test
  void shouldUseTheRecordTimesOfABacklog() {
    history.see(10_000, 3_600_000, 3_600_010);
    assertThat(history.arrivedMs(0, 1_000, 3_700_000)).isEqualTo(1_000);
    assertThat(history.arrivedMs(0, UNKNOWN, 3_700_000)).isEqualTo(3_600_010);
  }

  @Test
  void shouldBoundRecordTimesBySamples() {
    history.see(7, 10_000, 10_010);
    history.see(7, 10_250, 10_260);
    history.see(9, 10_500, 10_510);
    assertThat(history.arrivedMs(8, 10_400, 20_000)).isEqualTo(10_400);
    assertThat(history.arrivedMs(8, 1_000, 20_000)).as("measured long ago").isEqualTo(10_250);
    assertThat(history.arrivedMs(8, 90_000, 20_000)).as("a clock ahead").isEqualTo(10_510);
    assertThat(history.arrivedMs(8, UNKNOWN, 20_000)).isEqualTo(10_510);
    assertThat(history.arrivedMs(9, 1_000, 20_000)).as("after the last sample").isEqualTo(10_500);
  }

  /** A silent topic is sampled, too: its next record is new. */
  @Test
  void shouldNotCountSilenceBeforeARecordAsItsAge() {
    for (long atMs = 0; atMs <= 7_200_000; atMs += 250) {
      history.see(5, atMs, atMs);
    }
    history.see(6, 7_200_250, 7_200_250);
    assertThat(history.arrivedMs(5, 3, 7_200_400)).isEqualTo(7_200_000);
  }

  @Test
  void shouldWidenTheBoundsOnlyWithAge() {
    long endMs = 3_600_000;
    for (long atMs = 250; atMs <= endMs; atMs += 250) {
      history.see(atMs, atMs, atMs); // a record a millisecond
    }
    for (long ageMs = 1_000; ageMs < 1_800_000; ageMs *= 2) {
      long arrivedMs = endMs - ageMs;
      long by = history.arrivedMs(arrivedMs, Long.MAX_VALUE, endMs);
      long after = history.arrivedMs(arrivedMs, 0, endMs);
      assertThat(after).isLessThanOrEqualTo(arrivedMs);
      assertThat(by).isGreaterThanOrEqualTo(arrivedMs);
      assertThat(by - after).as("at an age of %d ms", ageMs).isLessThan(500 + ageMs / 2);
    }
  }

  @Test
  void shouldFollowARecreatedTopic() {
    history.see(1_000, 10_000, 10_000);
    history.see(3, 20_000, 20_000);
    assertThat(history.end()).isEqualTo(3);
    assertThat(history.arrivedMs(2, 15_000, 30_000)).isEqualTo(15_000);
  }
}
