package dev.rondo.tools.command;

import dev.rondo.topology.policy.Spans;
import dev.rondo.topology.settings.SettingException;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.regex.Pattern;

/**
 * Parses a time in the past: ISO 8601 ({@code 2026-03-01T14:00Z}; without an offset it is UTC, a
 * date is its midnight), epoch seconds or milliseconds, or a span back from now ({@code 90m},
 * {@code 6h}, {@code 2d}).
 */
public final class PastTime {
  static final String OPTION = "--from";

  private static final Pattern EPOCH = Pattern.compile("\\d{1,16}");
  private static final Pattern SPAN = Pattern.compile("\\d+[a-z]+");

  /** 11 digits are seconds until the year 5138, 12 and more are milliseconds since 1973. */
  private static final int MAX_DIGITS_OF_SECONDS = 11;

  private static final DateTimeFormatter ISO =
      DateTimeFormatter.ofPattern("uuuu-MM-dd[['T'][ ]HH:mm[:ss[.SSS]][XXX][X]]");

  private PastTime() {}

  /**
   * Epoch ms of {@code text}.
   *
   * @throws CommandException if the text has another form, or the time is in the future
   */
  public static long parseMs(String text, Clock clock) {
    return parseMs(text, clock, OPTION);
  }

  /** The same for another option than {@code --from}, which errors name. */
  public static long parseMs(String text, Clock clock, String option) {
    long ms = read(text.strip(), clock.millis(), option);
    if (ms > clock.millis()) {
      throw CommandException.misuse(
          "%s is %s, which is still to come: now is %s (%s)"
              .formatted(text, show(ms), show(clock.millis()), option));
    }
    return ms;
  }

  private static long read(String text, long nowMs, String option) {
    try {
      if (EPOCH.matcher(text).matches()) {
        long number = Long.parseLong(text);
        return text.length() <= MAX_DIGITS_OF_SECONDS ? number * 1000 : number;
      }
      if (SPAN.matcher(text).matches()) {
        return nowMs - Spans.parseMs(text, option);
      }
      return iso(text).toEpochMilli();
    } catch (SettingException | DateTimeException e) {
      throw CommandException.misuse(
          ("'%s' is not a time: give ISO 8601 such as 2026-03-01T14:00:00Z, epoch seconds or"
                  + " milliseconds, or a span back such as 90m, 6h or 2d (%s)")
              .formatted(text, option));
    }
  }

  private static Instant iso(String text) {
    TemporalAccessor parsed =
        ISO.parseBest(text, OffsetDateTime::from, LocalDateTime::from, LocalDate::from);
    if (parsed instanceof OffsetDateTime time) {
      return time.toInstant();
    }
    LocalDateTime time =
        parsed instanceof LocalDate date ? date.atStartOfDay() : (LocalDateTime) parsed;
    return time.toInstant(ZoneOffset.UTC);
  }

  /** Formats a time as ISO 8601 in UTC, with milliseconds only if they are not 0. */
  public static String show(long ms) {
    return Instant.ofEpochMilli(ms).toString();
  }
}
