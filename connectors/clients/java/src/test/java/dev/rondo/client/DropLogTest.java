package dev.rondo.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DropLogTest {
  private final List<String> lines = new ArrayList<>();
  private long nowMs;

  private final DropLog log =
      new DropLog(
          new Clock() {
            @Override
            public Instant instant() {
              return Instant.ofEpochMilli(nowMs);
            }

            @Override
            public ZoneId getZone() {
              return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
              throw new UnsupportedOperationException();
            }
          },
          lines::add);

  @Test
  void shouldLogAtMostOnceAMinuteAndCountAll() {
    log.dropped(3, "no broker");
    nowMs = 59_999;
    log.dropped(4, "no broker");
    nowMs = 60_000;
    log.dropped(5, "no topic");
    assertThat(lines)
        .containsExactly(
            "dropped 3 points; last reason: no broker", "dropped 9 points; last reason: no topic");
  }

  @Test
  void shouldLogTheNumberOfUndeliveredPointsAtTheEnd() {
    assertThat(log.close(0, 7)).isEmpty();
    assertThat(lines).isEmpty();
    log.dropped(3, "no broker");
    assertThat(log.close(3, 7)).isEqualTo(lines.get(1)).startsWith("3 of 10 points");
  }
}
