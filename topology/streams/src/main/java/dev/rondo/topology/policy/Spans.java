package dev.rondo.topology.policy;

import dev.rondo.topology.settings.SettingException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats lengths of time: {@code 500ms 10s 1m 6h 7d 4w 1y}; a year is 365 days. */
public final class Spans {
  private static final Pattern SPAN = Pattern.compile("(\\d{1,12})(ms|s|m|h|d|w|y)");
  private static final Map<String, Long> UNIT_MS =
      Map.of(
          "ms", 1L,
          "s", 1_000L,
          "m", 60_000L,
          "h", 3_600_000L,
          "d", 86_400_000L,
          "w", 604_800_000L,
          "y", 31_536_000_000L);

  private Spans() {}

  /**
   * Parses a length of time to ms; throws {@link SettingException} for anything else.
   *
   * @param key path in the file, for the error text
   */
  public static long parseMs(String text, String key) {
    Matcher matcher = SPAN.matcher(text.strip());
    if (!matcher.matches()) {
      throw new SettingException(
          "'" + text + "' is not a length of time like 500ms, 10s, 1m, 6h, 7d or 1y (" + key + ")");
    }
    try {
      return Math.multiplyExact(Long.parseLong(matcher.group(1)), UNIT_MS.get(matcher.group(2)));
    } catch (ArithmeticException e) {
      throw new SettingException("'" + text + "' is too long (" + key + ")");
    }
  }

  /** Formats ms in the largest exact unit, {@code 90s}, {@code 1m}, {@code 7d}; weeks are days. */
  public static String format(long ms) {
    for (String unit : new String[] {"y", "d", "h", "m", "s"}) {
      if (ms > 0 && ms % UNIT_MS.get(unit) == 0) {
        return ms / UNIT_MS.get(unit) + unit;
      }
    }
    return ms + "ms";
  }
}
