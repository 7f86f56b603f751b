package dev.rondo.local.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.local.terminal.Chart.Glyphs;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChartTest {
  @Test
  void shouldDrawOneColumnPerValueFromZero() {
    assertThat(Chart.lines(Arrays.asList(0.0, 5.0, 10.0, null, 2.5), 60, 2, Glyphs.BLOCKS))
        .containsExactly("10.0 ┤  █  ", " 0.0 ┤▁██ ▄");
  }

  @Test
  void shouldDrawInAscii() {
    assertThat(Chart.lines(Arrays.asList(0.0, 5.0, 10.0, null, 2.5), 60, 2, Glyphs.ASCII))
        .containsExactly("10.0 |  #  ", " 0.0 |.## :");
  }

  @ParameterizedTest
  @CsvSource({"UTF-8, BLOCKS", "US-ASCII, ASCII", "ISO-8859-1, ASCII", "UTF-16, BLOCKS"})
  void shouldDrawWithCharactersOfTheCharset(String charset, Glyphs expected) {
    assertThat(Glyphs.of(Charset.forName(charset))).isEqualTo(expected);
  }

  @Test
  void shouldDrawNewestThatFit() {
    assertThat(Chart.lines(List.of(9.0, 1.0, 1.0), 2, 2, Glyphs.BLOCKS))
        .containsExactly("1.0 ┤██", "0.0 ┤██");
  }

  @Test
  void shouldDrawFromANegativeMinimum() {
    assertThat(Chart.lines(List.of(-4.0, 4.0), 60, 2, Glyphs.BLOCKS))
        .containsExactly(" 4.0 ┤ █", "-4.0 ┤▁█");
  }

  @Test
  void shouldDrawConstantZero() {
    assertThat(Chart.lines(List.of(0.0, 0.0), 60, 2, Glyphs.BLOCKS))
        .containsExactly("1.0 ┤  ", "0.0 ┤▁▁");
  }

  @Test
  void shouldDrawNothingWithoutValues() {
    assertThat(Chart.lines(Arrays.asList(null, null), 60, 2, Glyphs.BLOCKS))
        .containsExactly("1.0 ┤  ", "0.0 ┤  ");
  }

  @Test
  void shouldFormatNumbersTheSameInEveryLocale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      assertThat(Chart.label(12.345)).isEqualTo("12.3");
      assertThat(Chart.label(123456.7)).isEqualTo("123457");
    } finally {
      Locale.setDefault(before);
    }
  }
}
