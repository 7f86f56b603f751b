package dev.rondo.formats.mapping;

/** Formats scalars for names and tags. */
public final class ScalarText {
  private static final double EXACT_END = 1L << 53;

  private ScalarText() {}

  /** Formats a Number, Boolean, String or Instant; whole numbers have no decimal point. */
  public static String of(Object scalar) {
    if (scalar instanceof Double || scalar instanceof Float) {
      double number = ((Number) scalar).doubleValue();
      return number == Math.rint(number) && Math.abs(number) < EXACT_END
          ? Long.toString((long) number)
          : scalar.toString();
    }
    return scalar.toString();
  }
}
