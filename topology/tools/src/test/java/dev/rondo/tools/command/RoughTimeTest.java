package dev.rondo.tools.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoughTimeTest {
  @ParameterizedTest
  @CsvSource({
    "0,       1 s",
    "90.4,    90 s",
    "119,     119 s",
    "720,     12 min",
    "7000,    117 min",
    "12600,   3.5 h",
    "190080,  2.2 days"
  })
  void shouldRound(double seconds, String text) {
    assertThat(RoughTime.text(seconds)).isEqualTo(text);
  }
}
