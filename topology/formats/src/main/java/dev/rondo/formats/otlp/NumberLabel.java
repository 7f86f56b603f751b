package dev.rondo.formats.otlp;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * Formats numbers as label values: {@code 0.005}, {@code 1}, {@code 2500000}, {@code +Inf}; with an
 * exponent, {@code 1E-9}, only below 10⁻⁶ and from 10¹⁵ on.
 */
final class NumberLabel {
  private static final double PLAIN_BELOW = 1e15;
  private static final MathContext SIX_DIGITS = new MathContext(6);

  private NumberLabel() {}

  static String of(double number) {
    if (Double.isNaN(number)) {
      return "NaN";
    }
    if (Double.isInfinite(number)) {
      return number > 0 ? "+Inf" : "-Inf";
    }
    if (number == Math.rint(number) && Math.abs(number) < PLAIN_BELOW) {
      return Long.toString((long) number);
    }
    return BigDecimal.valueOf(number).stripTrailingZeros().toString();
  }

  /** Rounds to six significant digits; whole numbers keep all digits. */
  static String ofSixDigits(double number) {
    return number == Math.rint(number) || !Double.isFinite(number)
        ? of(number)
        : of(new BigDecimal(number, SIX_DIGITS).doubleValue());
  }
}
