package dev.rondo.formats.mapping;

import java.math.BigDecimal;

/** Bounds decimals: the length of a record is the only limit of their digits. */
public final class DecimalNumber {
  /** About 1200 digits. Conversion is quadratic: many more would take seconds. */
  private static final int MAX_BITS = 4096;

  private DecimalNumber() {}

  /** Returns the decimal; one that is too long becomes a text that states its length. */
  public static Object of(BigDecimal decimal) {
    int bits = decimal.unscaledValue().bitLength();
    return bits <= MAX_BITS
        ? decimal
        : "decimal of %d bits, more than %d".formatted(bits, MAX_BITS);
  }
}
