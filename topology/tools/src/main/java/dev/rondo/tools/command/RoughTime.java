package dev.rondo.tools.command;

import java.util.Locale;

/** Durations that are estimated, for people. */
public final class RoughTime {
  private static final double MINUTE = 60;
  private static final double HOUR = 60 * MINUTE;
  private static final double DAY = 24 * HOUR;

  private RoughTime() {}

  /** Formats seconds with two or three digits: {@code 90 s}, {@code 12 min}, {@code 3.5 h}. */
  public static String text(double seconds) {
    if (seconds < 2 * MINUTE) {
      return format("%.0f s", Math.max(1, seconds));
    }
    if (seconds < 2 * HOUR) {
      return format("%.0f min", seconds / MINUTE);
    }
    return seconds < 2 * DAY
        ? format("%.1f h", seconds / HOUR)
        : format("%.1f days", seconds / DAY);
  }

  private static String format(String format, double number) {
    return String.format(Locale.ROOT, format, number);
  }
}
