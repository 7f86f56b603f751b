package dev.rondo.local.logs;

import dev.rondo.local.settings.UserError;
import java.util.Locale;
import java.util.Map;

/** Size at which a log is rotated, from {@value #VARIABLE}. */
public final class LogSize {
  private static final String VARIABLE = "RONDO_LOG_SIZE";
  private static final String DEFAULT = "10m";
  private static final String PATTERN = "[1-9][0-9]{0,8}[kmgKMG]";
  private static final String UNITS = "kmg";

  private LogSize() {}

  /**
   * Returns the size in bytes.
   *
   * @throws UserError if it is not a size
   */
  public static long bytes(Map<String, String> environment) {
    String size = environment.getOrDefault(VARIABLE, DEFAULT);
    if (!size.matches(PATTERN)) {
      throw new UserError("%s is '%s', not a size such as 10m or 1g".formatted(VARIABLE, size));
    }
    int last = size.length() - 1;
    int unit = UNITS.indexOf(size.toLowerCase(Locale.ROOT).charAt(last));
    return Long.parseLong(size.substring(0, last)) << (10 * (unit + 1));
  }
}
