package dev.rondo.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DropLogTest {
  private final List<String> lines = new ArrayList<>();
  private final HandClock clock = new HandClock();
  private final DropLog drops = new DropLog(clock, lines::add);

  @Test
  void shouldLogTheFirstAtOnceAndOthersOnceAMinute() {
    drops.dropped("first");
    drops.dropped("second");
    clock.advance(Duration.ofSeconds(59));
    drops.dropped("third");
    assertThat(lines)
        .containsExactly("dropped 1 records, 1 since the start;" + " last reason: first");

    clock.advance(Duration.ofSeconds(1));
    drops.dropped("fourth");
    assertThat(lines)
        .hasSize(2)
        .last()
        .isEqualTo("dropped 3 records, 4 since the start;" + " last reason: fourth");
  }

  @Test
  void shouldLogTheRestOnClose() {
    drops.dropped("first");
    drops.dropped("second");

    drops.close();
    drops.close();

    assertThat(lines).hasSize(2).last().asString().startsWith("dropped 1 records, 2 since");
  }

  @Test
  void shouldLogNothingWithoutDrops() {
    drops.close();

    assertThat(lines).isEmpty();
  }

  private static final class HandClock extends Clock {
    private Instant now = Instant.EPOCH;

    void advance(Duration time) {
      now = now.plus(time);
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
