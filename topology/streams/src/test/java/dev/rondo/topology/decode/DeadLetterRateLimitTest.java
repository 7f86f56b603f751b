package dev.rondo.topology.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class DeadLetterRateLimitTest {
  private static final long NOW_MS = 1_000_000;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final DeadLetterRateLimit rate = new DeadLetterRateLimit(100, registry);

  private boolean take(long bytes, long nowMs) {
    return take("points", bytes, nowMs);
  }

  private boolean take(String source, long bytes, long nowMs) {
    return rate.take(source, DropReason.UNREADABLE, 2, bytes, nowMs);
  }

  private double notKept() {
    return registry
        .get("rondo.dead.letters.not.kept")
        .tag("reason", "unreadable")
        .counter()
        .count();
  }

  @Test
  void shouldAllowABurstOfAMinuteAndThenARatePerSecond() {
    for (int n = 0; n < 60; n++) {
      assertThat(take(100, NOW_MS)).isTrue();
    }
    assertThat(take(1, NOW_MS)).isFalse();
    assertThat(notKept()).as("pieces").isEqualTo(2);
    assertThat(take(200, NOW_MS + 2_000)).isTrue();
    assertThat(take(1, NOW_MS + 2_000)).isFalse();
    assertThat(take(6_000, NOW_MS + 1_000_000)).isTrue();
    assertThat(take(1, NOW_MS + 1_000_000)).as("no more than a minute").isFalse();
  }

  @Test
  void shouldContinueWhenTheClockIsSetBack() {
    assertThat(take(6_000, NOW_MS)).isTrue();
    assertThat(take(1, 0)).isFalse();
    assertThat(take(100, 1_000)).isTrue();
  }

  @Test
  void shouldLeaveBytesToOtherSources() {
    for (int n = 0; n < 10_000; n++) {
      take("flood", 100, NOW_MS + n);
    }
    assertThat(take("flood", 100, NOW_MS + 10_000)).isFalse();
    for (int n = 0; n < 10; n++) {
      assertThat(take("quiet", 100, NOW_MS + 10_000)).as("dead letter %d", n).isTrue();
    }
  }

  @Test
  void shouldAllowNothingIfTheLimitIsZero() {
    assertThat(
            new DeadLetterRateLimit(0, new SimpleMeterRegistry())
                .take("points", DropReason.UNREADABLE, 1, 1, NOW_MS))
        .isFalse();
  }
}
