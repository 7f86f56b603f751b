package dev.rondo.topology.order;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Times are seconds. */
class SourceStreamTimeTest {
  private final SourceStreamTime streamTime = new SourceStreamTime();

  private void add(long... seconds) {
    for (long second : seconds) {
      streamTime.add(second * 1000, true);
    }
  }

  private long disorderS() {
    return streamTime.disorderMs() / 1000;
  }

  @Test
  void shouldBeTheNewestTime() {
    assertThat(streamTime.streamTimeMs()).isEqualTo(Long.MIN_VALUE);
    add(10, 12, 11);
    assertThat(streamTime.streamTimeMs()).isEqualTo(12_000);
  }

  @Test
  void shouldResumeFromAnEarlierTask() {
    streamTime.resume(-1);
    assertThat(streamTime.streamTimeMs()).isEqualTo(Long.MIN_VALUE);
    streamTime.resume(20_000);
    add(10);
    assertThat(streamTime.streamTimeMs()).isEqualTo(20_000);
  }

  @Test
  void shouldMeasureHowFarTimesAreBehindAndJump() {
    add(10, 11, 12);
    assertThat(disorderS()).isEqualTo(1);
    add(72);
    assertThat(disorderS()).as("a sender may have a fast clock").isEqualTo(60);
    add(13, 73, 14);
    assertThat(disorderS()).isEqualTo(60 + 59);
  }

  @Test
  void shouldIgnoreTimesOfASenderThatWasOffline() {
    add(10_000, 10_001, 1, 2, 3);
    assertThat(disorderS()).isEqualTo(1);
  }

  @Test
  void shouldForgetOldDisorder() {
    add(1_000, 1_060, 1_001);
    for (long second = 1_061; second < 2_000; second++) {
      add(second);
    }
    assertThat(disorderS()).isEqualTo(1);
  }

  @Test
  void shouldRememberAJumpUntilItsTimeIsReached() {
    add(1_000, 4_600); // a sender is an hour ahead
    for (long second = 1_001; second < 4_600; second++) {
      add(second);
    }
    assertThat(disorderS()).isGreaterThanOrEqualTo(3_600);
    for (long second = 4_600; second < 5_300; second++) {
      add(second);
    }
    assertThat(disorderS()).isEqualTo(1);
  }

  @Test
  void shouldMeasureNoDisorderIfTheBrokerSetsTheTime() {
    streamTime.add(10_000, false);
    streamTime.add(900_000, false);
    streamTime.add(20_000, false);
    assertThat(streamTime.disorderMs()).isZero();
    assertThat(streamTime.streamTimeMs()).isEqualTo(900_000);
  }
}
