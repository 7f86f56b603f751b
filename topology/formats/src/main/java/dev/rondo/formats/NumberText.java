package dev.rondo.formats;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Parses numbers from bytes: {@code 12}, {@code -0.5}, {@code .5}, {@code 5.}, {@code +1e-3}.
 * Rejects Java's notations {@code 1d} and {@code 0x1p3}, which no sender uses.
 */
public final class NumberText {
  /** Digits of an integer that is exact as a double; powers of ten up to 10^22 are exact, too. */
  private static final int EXACT_DIGITS = 15;

  private static final double[] POWERS_OF_TEN = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
  };

  private NumberText() {}

  /** Parses a decimal, or a word such as {@code nan}, {@code -inf}, {@code Infinity}. */
  public static double value(byte[] bytes, int from, int to) throws DroppedException {
    double value = decimal(bytes, from, to);
    if (!Double.isNaN(value)) {
      return value;
    }
    String text = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "nan", "-nan", "+nan" -> Double.NaN;
      case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      default ->
          throw DroppedException.unreadable(
              "value '%s' is not a number".formatted(Excerpt.of(bytes, from, to)));
    };
  }

  /**
   * Parses a decimal to the nearest double, which may be infinite; NaN if the bytes are not a
   * number.
   */
  public static double decimal(byte[] bytes, int from, int to) {
    int begin = from < to && isSign(bytes[from]) ? from + 1 : from;
    long digits = 0;
    int point = -1;
    int at = begin;
    for (; at < to; at++) {
      byte b = bytes[at];
      if (isDigit(b)) {
        digits = 10 * digits + (b - '0');
      } else if (b == '.' && point < 0) {
        point = at;
      } else {
        break;
      }
    }
    int count = at - begin - (point < 0 ? 0 : 1);
    if (count == 0 || (at < to && !isExponent(bytes, at, to))) {
      return Double.NaN;
    }
    if (at < to || count > EXACT_DIGITS) {
      return JavaDoubleParser.parseDouble(bytes, from, to - from);
    }
    // both are exact, so their quotient is the nearest double
    double value = point < 0 ? digits : digits / POWERS_OF_TEN[at - point - 1];
    return bytes[from] == '-' ? -value : value;
  }

  private static boolean isExponent(byte[] bytes, int from, int to) {
    if (bytes[from] != 'e' && bytes[from] != 'E') {
      return false;
    }
    int digits = from + 1 < to && isSign(bytes[from + 1]) ? from + 2 : from + 1;
    return isDigits(bytes, digits, to);
  }

  /**
   * Parses an integer; throws {@link ArithmeticException} for anything else or more than 64 bits.
   */
  public static long integer(byte[] bytes, int from, int to) {
    if (!isInteger(bytes, from, to)) {
      throw new ArithmeticException("not an integer");
    }
    boolean isNegative = bytes[from] == '-';
    long number = 0;
    for (int at = isNegative ? from + 1 : from; at < to; at++) {
      int digit = bytes[at] - '0';
      number = Math.addExact(Math.multiplyExact(number, 10L), isNegative ? -digit : digit);
    }
    return number;
  }

  /** Whether the bytes are an integer: digits, with or without a leading {@code -}. */
  public static boolean isInteger(byte[] bytes, int from, int to) {
    return isDigits(bytes, from < to && bytes[from] == '-' ? from + 1 : from, to);
  }

  /** Whether the bytes are one or more digits. */
  public static boolean isDigits(byte[] bytes, int from, int to) {
    for (int at = from; at < to; at++) {
      if (!isDigit(bytes[at])) {
        return false;
      }
    }
    return from < to;
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  private static boolean isSign(byte b) {
    return b == '-' || b == '+';
  }
}
