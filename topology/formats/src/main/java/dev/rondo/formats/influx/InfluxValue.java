package dev.rondo.formats.influx;

import dev.rondo.formats.NumberText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;

/** Parses values of fields: {@code 42i}, {@code 42u}, {@code 4.2e1}, {@code t}, {@code FALSE}. */
final class InfluxValue {
  private static final byte[][] TRUE = words("t", "T", "true", "True", "TRUE");
  private static final byte[][] FALSE = words("f", "F", "false", "False", "FALSE");

  private InfluxValue() {}

  private static byte[][] words(String... words) {
    return Stream.of(words)
        .map(word -> word.getBytes(StandardCharsets.US_ASCII))
        .toArray(byte[][]::new);
  }

  static boolean isText(byte[] bytes, int from, int to) {
    return from < to && bytes[from] == '"';
  }

  /** Returns the number, 1 for true, 0 for false; NaN for anything else. */
  static double of(byte[] bytes, int from, int to) {
    if (from == to) {
      return Double.NaN;
    }
    int last = to - 1;
    return switch (bytes[last]) {
      case 'i' -> whole(NumberText.isInteger(bytes, from, last), bytes, from, last);
      case 'u' -> whole(NumberText.isDigits(bytes, from, last), bytes, from, last);
      case 't', 'T', 'f', 'F', 'e', 'E' -> ofBoolean(bytes, from, to);
      default -> NumberText.decimal(bytes, from, to);
    };
  }

  private static double whole(boolean isWhole, byte[] bytes, int from, int to) {
    return isWhole ? NumberText.decimal(bytes, from, to) : Double.NaN;
  }

  private static double ofBoolean(byte[] bytes, int from, int to) {
    if (isOneOf(TRUE, bytes, from, to)) {
      return 1;
    }
    return isOneOf(FALSE, bytes, from, to) ? 0 : Double.NaN;
  }

  private static boolean isOneOf(byte[][] words, byte[] bytes, int from, int to) {
    for (byte[] word : words) {
      if (Arrays.equals(word, 0, word.length, bytes, from, to)) {
        return true;
      }
    }
    return false;
  }
}
