package dev.rondo.chaos.alerts;

import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Rules of alerts, with shorter times:
 *
 * <pre>
 *   for: 5m                              30000ms, with a factor of 10
 *   increase(x_total[1h]), x offset 1d   increase(x_total[360000ms]), x offset 8640000ms
 *   x_seconds > 60                       x_seconds > 6.0
 * </pre>
 */
final class ShorterRules {
  private static final Pattern SPAN = Pattern.compile("(for: |\\[|offset )(\\d+)([smhd])(?![a-z])");

  /** A threshold of a gauge in seconds; that of a duration, as of requests, is another matter. */
  private static final Pattern AGE =
      Pattern.compile("(_seconds(?:\\{.*?})?(?:\\[\\w+])?\\)* > )(\\d+)");

  private static final Map<String, Long> UNITS_MS =
      Map.of("s", 1000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

  private ShorterRules() {}

  /**
   * Shortens all times.
   *
   * @param rules text of a file of rules
   * @param factor by which times are divided
   */
  static String of(String rules, int factor) {
    String ages =
        AGE.matcher(rules)
            .replaceAll(age -> age.group(1) + Double.parseDouble(age.group(2)) / factor);
    return SPAN.matcher(ages).replaceAll(span -> span.group(1) + ms(span) / factor + "ms");
  }

  private static long ms(MatchResult span) {
    return Long.parseLong(span.group(2)) * UNITS_MS.get(span.group(3));
  }
}
