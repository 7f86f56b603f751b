package dev.rondo.local.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BackOffTest {
  @Test
  void shouldDoubleFromOneSecondToThirty() {
    assertThat(Stream.generate(new BackOff()::next).limit(7).map(Duration::toSeconds))
        .containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L);
  }
}
