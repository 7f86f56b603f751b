package dev.rondo.formats.json;

import com.fasterxml.jackson.core.JsonToken;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Reads numbers and times of an element. {@code what} names the part in error texts. */
final class Numbers {
  /** Double.parseDouble also accepts 1d, 1f and 0x1p3, which no sender uses. */
  private static final Pattern NUMBER = Pattern.compile("[-+]?[0-9.]+([eE][-+]?[0-9]+)?");

  private static final int LONGEST = 1000;

  private Numbers() {}

  /** Reads a number, or text that is one, including {@code NaN} and {@code Inf}. */
  static double of(Tape element, int at, String what) throws DroppedException {
    if (element.isNumber(at)) {
      return element.number(at);
    }
    if (element.isText(at)) {
      return of(element.text(at), what);
    }
    throw DroppedException.unreadable("'" + what + "' is not a number");
  }

  private static double of(String text, String what) throws DroppedException {
    if (text.length() <= LONGEST && NUMBER.matcher(text).matches()) {
      try {
        return Double.parseDouble(text);
      } catch (NumberFormatException e) {
        // 1.2.3: reported below
      }
    }
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "nan" -> Double.NaN;
      case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      default ->
          throw DroppedException.unreadable(
              "'" + what + "' is not a number: '" + Excerpt.of(text) + "'");
    };
  }

  /** Reads a member in units since 1970, possibly with a fraction; returns epoch ms. */
  static long timeMs(Tape element, String key, TimeUnit unit) throws DroppedException {
    return timeMs(element, Members.of(element, key), key, unit);
  }

  /** Reads units since 1970, possibly with a fraction; returns epoch ms. */
  static long timeMs(Tape element, int at, String what, TimeUnit unit) throws DroppedException {
    if (!element.isNumber(at)) {
      throw DroppedException.unreadable("'" + what + "' is not a number");
    }
    return after1970(
        element.token(at) == JsonToken.VALUE_NUMBER_INT
            ? unit.toMillis(element.integer(at))
            : Math.round(element.number(at) * unit.toNanos(1) / 1e6));
  }

  /** Reads a member in RFC 3339 text; returns epoch ms. */
  static long rfc3339Ms(Tape element, String key) throws DroppedException {
    String text = Members.text(element, key);
    try {
      return after1970(Instant.parse(text).toEpochMilli());
    } catch (DateTimeException | ArithmeticException e) {
      throw DroppedException.unreadable(
          "'%s' is not a time like 2026-05-04T10:00:10Z: '%s'".formatted(key, Excerpt.of(text)));
    }
  }

  /** Rejects a time that is not after 1970. */
  static long after1970(long tMs) throws DroppedException {
    if (tMs <= 0) {
      throw DroppedException.unreadable("time " + tMs + " ms is not after 1970");
    }
    return tMs;
  }
}
