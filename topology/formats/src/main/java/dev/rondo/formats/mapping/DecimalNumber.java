package dev.rondo.formats.mapping;

import java.math.BigDecimal;

/** Decimals, of which a record may have as many digits as it has room for. */
public final class DecimalNumber {
  /** Some 1200 digits: to convert many more takes seconds, as it is quadratic. */
  private static final int MAX_BITS = 4096;

  private DecimalNumber() {}

  /**
   * The decimal, or a text that says how long it is, if that is too long to be read as a number.
   */
  public static Object of(BigDecimal decimal) {
    int bits = decimal.unscaledValue().bitLength();
    return bits <= MAX_BITS
        ? decimal
        : "decimal of %d bits, more than %d".formatted(bits, MAX_BITS);
  }
}
