package dev.rondo.loadgen;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The time of the first point as people give it: {@code 2026-03-01T14:00:00Z} or {@code -90m}. */
final class StartTime {
  private static final Pattern BACK = Pattern.compile("-(\\d{1,9})([smhd])");
  private static final Map<String, Long> UNIT_MS =
      Map.of("s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

  private StartTime() {}

  /** Epoch ms. */
  static long parseMs(String text, long nowMs) {
    Matcher back = BACK.matcher(text);
    if (back.matches()) {
      return nowMs - Long.parseLong(back.group(1)) * UNIT_MS.get(back.group(2));
    }
    try {
      return Instant.parse(text).toEpochMilli();
    } catch (DateTimeException e) {
      throw new BadInputException(
          "'%s' is not a time: give ISO 8601 such as 2026-03-01T14:00:00Z, or a span back such as -90m, -6h or -2d (--start)"
              .formatted(text));
    }
  }
}
