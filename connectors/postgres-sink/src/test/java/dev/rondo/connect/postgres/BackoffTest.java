package dev.rondo.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BackoffTest {

  @Test
  void shouldDoubleUpToTheLongestAndStartAgainAfterSuccess() {
    var backoff = new Backoff(200, 1_000);
    assertThat(backoff.nextMs()).isEqualTo(200);
    assertThat(backoff.nextMs()).isEqualTo(400);
    assertThat(backoff.nextMs()).isEqualTo(800);
    assertThat(backoff.nextMs()).isEqualTo(1_000);
    assertThat(backoff.nextMs()).isEqualTo(1_000);
    backoff.reset();
    assertThat(backoff.nextMs()).isEqualTo(200);
  }
}
