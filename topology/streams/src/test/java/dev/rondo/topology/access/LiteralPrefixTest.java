package dev.rondo.topology.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiteralPrefixTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "metrics-.*;metrics-",
        "metrics\\..+;metrics.",
        "metrics\\d;metrics",
        "metrics;metrics",
        "metrics?;metric",
        "metrics{2};metric",
        "ab*c;a",
        "ab+;ab",
        "m(a|b);m",
        "m-a|n-b;''",
        "m\\|a|b;''",
        ".*-metrics;''",
        "(?i)m;''",
      })
  void shouldBeTheCommonPrefixOfAllNames(String regexp, String prefix) {
    assertThat(LiteralPrefix.of(regexp)).isEqualTo(prefix);
  }
}
