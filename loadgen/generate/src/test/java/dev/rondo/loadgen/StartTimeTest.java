package dev.rondo.loadgen;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartTimeTest {
  @ParameterizedTest
  @CsvSource({
    "1970-01-01T00:20:00Z, 1234567, 1200000",
    "-90s, 1234567, 1144567",
    "next-10s, 1234567, 1240000",
    "next-10s, 1240000, 1240000",
    "next-1h, 1240001, 3600000"
  })
  void shouldParse(String text, long nowMs, long startMs) {
    assertThat(StartTime.parseMs(text, nowMs)).isEqualTo(startMs);
  }
}
