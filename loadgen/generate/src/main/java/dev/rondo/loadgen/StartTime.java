package dev.rondo.loadgen;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the time of the first point: {@code 2026-03-01T14:00:00Z}, {@code -90m}, or {@code
 * next-10s}, the next multiple of 10 s since the epoch.
 */
final class StartTime {
  private static final String NEXT = "next";
  private static final String LENGTH = "(\\d{1,9})([smhd])";
  private static final Pattern SPAN = Pattern.compile("(" + NEXT + ")?-" + LENGTH);
  private static final Map<String, Long> UNIT_MS =
      Map.of("s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

  private StartTime() {}

  /** Epoch ms. */
  static long parseMs(String text, long nowMs) {
    Matcher span = SPAN.matcher(text);
    if (span.matches()) {
      long spanMs = Long.parseLong(span.group(2)) * UNIT_MS.get(span.group(3));
      return isLive(text) ? next(spanMs, nowMs) : nowMs - spanMs;
    }
    try {
      return Instant.parse(text).toEpochMilli();
    } catch (DateTimeException e) {
      throw new BadInputException(
          "'%s' is not a time: give ISO 8601 such as 2026-03-01T14:00:00Z, a span back such as -90m, -6h or -2d, or a time to wait for such as next-10s (--start)"
              .formatted(text));
    }
  }

  /**
   * Parses a length of time such as {@code 60s} to ms.
   *
   * @param option name for the error message
   */
  static long spanMs(String option, String text) {
    Matcher length = Pattern.compile(LENGTH).matcher(text);
    if (!length.matches()) {
      throw new BadInputException(
          "'%s' is not a length of time such as 30s, 1m or 6h (%s)".formatted(text, option));
    }
    return Long.parseLong(length.group(1)) * UNIT_MS.get(length.group(2));
  }

  /** Whether the generator waits for this time. */
  static boolean isLive(String text) {
    return text.startsWith(NEXT);
  }

  private static long next(long spanMs, long nowMs) {
    if (spanMs == 0) {
      throw new BadInputException("next-0 is not a time: give a span such as next-10s (--start)");
    }
    return -Math.floorDiv(-nowMs, spanMs) * spanMs;
  }
}
