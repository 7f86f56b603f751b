package dev.rondo.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {

  @Test
  void shouldDoubleUpToTheLongestAndStartAgainAfterSuccess() {
    var backoff = new Backoff(200, 1_000, new Random(1));
    assertThat(backoff.nextMs()).isBetween(100L, 200L);
    assertThat(backoff.nextMs()).isBetween(200L, 400L);
    assertThat(backoff.nextMs()).isBetween(400L, 800L);
    assertThat(backoff.nextMs()).isBetween(500L, 1_000L);
    assertThat(backoff.nextMs()).isBetween(500L, 1_000L);
    backoff.reset();
    assertThat(backoff.nextMs()).isBetween(100L, 200L);
  }

  @Test
  void shouldNotBeTheSameForTwoTasks() {
    var one = new Backoff(200, 10_000, new Random(1));
    var other = new Backoff(200, 10_000, new Random(2));
    assertThat(one.nextMs()).isNotEqualTo(other.nextMs());
  }

  @Test
  void shouldTakeTheShortestAndTheLongestPauseThereIs() {
    var backoff = new Backoff(1, Long.MAX_VALUE, new Random(1));
    for (int attempt = 0; attempt < 100; attempt++) {
      assertThat(backoff.nextMs()).isPositive();
    }
  }
}
