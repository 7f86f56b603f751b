package dev.rondo.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TriesPercentTest {
  @ParameterizedTest
  @CsvSource({"300, 25, 75", "300, 100, 300", "30, 25, 10", "5, 25, 5", "1000, 200, 2000"})
  void shouldScaleAndKeepAFew(int tries, int percent, int expected) {
    assertThat(TriesPercent.scaled(tries, percent)).isEqualTo(expected);
  }

  @Test
  void shouldBeToldThePercentage() {
    assertThat(System.getProperty("rondo.tries.percent")).isNotNull();
  }
}
