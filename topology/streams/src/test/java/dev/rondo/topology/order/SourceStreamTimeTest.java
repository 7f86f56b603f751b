package dev.rondo.topology.order;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Times are seconds. */
class SourceStreamTimeTest {
  private final SourceStreamTime front = new SourceStreamTime();

  private void add(long... seconds) {
    for (long second : seconds) {
      front.add(second * 1000, true);
    }
  }

  private long disorderS() {
    return front.disorderMs() / 1000;
  }

  @Test
  void shouldBeTheNewestTime() {
    assertThat(front.streamTimeMs()).isEqualTo(Long.MIN_VALUE);
    add(10, 12, 11);
    assertThat(front.streamTimeMs()).isEqualTo(12_000);
  }

  @Test
  void shouldContinueWhereATaskHasEnded() {
    front.resume(-1);
    assertThat(front.streamTimeMs()).isEqualTo(Long.MIN_VALUE);
    front.resume(20_000);
    add(10);
    assertThat(front.streamTimeMs()).isEqualTo(20_000);
  }

  @Test
  void shouldObserveHowFarTimesAreBehindAndHowFarTheyJump() {
    add(10, 11, 12);
    assertThat(disorderS()).isEqualTo(1);
    add(72);
    assertThat(disorderS()).as("one may have a fast clock").isEqualTo(60);
    add(13, 73, 14);
    assertThat(disorderS()).isEqualTo(60 + 59);
  }

  @Test
  void shouldTakeAMuchOlderTimeForThatOfASenderThatWasOffline() {
    add(10_000, 10_001, 1, 2, 3);
    assertThat(disorderS()).isEqualTo(1);
  }

  @Test
  void shouldForgetWhatWasOutOfOrderForLong() {
    add(1_000, 1_060, 1_001);
    for (long second = 1_061; second < 2_000; second++) {
      add(second);
    }
    assertThat(disorderS()).isEqualTo(1);
  }

  @Test
  void shouldObserveNothingWhereTheBrokerSetsTheTime() {
    front.add(10_000, false);
    front.add(900_000, false);
    front.add(20_000, false);
    assertThat(front.disorderMs()).isZero();
    assertThat(front.streamTimeMs()).isEqualTo(900_000);
  }
}
