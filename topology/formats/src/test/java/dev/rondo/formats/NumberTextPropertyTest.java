package dev.rondo.formats;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class NumberTextPropertyTest {
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

  private static double decimal(String text) {
    byte[] bytes = ("9" + text + "9").getBytes(StandardCharsets.UTF_8);
    return NumberText.decimal(bytes, 1, bytes.length - 1);
  }

  @Property(tries = 5000)
  void shouldReadNumbersThatJavaWrites(@ForAll double value) {
    if (Double.isFinite(value)) {
      assertThat(decimal(Double.toString(value))).isEqualTo(value);
    }
  }

  @Property(tries = 5000)
  void shouldFindTheNearestDoubleForAnyNumberOfDigits(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 18) int digits,
      @ForAll @IntRange(max = 20) int scale) {
    long any = Math.floorMod(seed * 0x9E3779B97F4A7C15L, (long) Math.pow(10, digits));
    String text = BigDecimal.valueOf(any, scale).toPlainString();
    assertThat(decimal(text)).as(text).isEqualTo(Double.parseDouble(text));
  }

  @Property(tries = 5000)
  void shouldFindTheNearestDoubleOfAnyDecimal(@ForAll("almostDecimals") String text) {
    if (DECIMAL.matcher(text).matches()) {
      assertThat(decimal(text)).isEqualTo(Double.parseDouble(text));
    } else {
      assertThat(decimal(text)).isNaN();
    }
  }

  @Provide
  Arbitrary<String> almostDecimals() {
    return Arbitraries.strings().withChars("0123456789123456789..+-eE").ofMaxLength(24);
  }

  @Example
  void shouldRejectNotationsOfJava() {
    for (String text :
        new String[] {"1d", "1f", "0x1p3", "NaN", "Infinity", " 1", "1 ", "", "1_0"}) {
      assertThat(decimal(text)).as(text).isNaN();
    }
  }
}
