package dev.rondo.tools.policies;

import dev.rondo.topology.policy.Spans;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A retention of Graphite: {@code 10s:6h}, {@code 1min:7days}, or {@code 60:1440}, which are
 * seconds and points.
 */
record Retention(long stepSeconds, long points) implements Comparable<Retention> {
  private static final Pattern PART = Pattern.compile("(\\d{1,9})([a-z]*)");
  private static final Map<String, Long> UNITS =
      new TreeMap<>(
          Map.of(
              "seconds", 1L,
              "minutes", 60L,
              "hours", 3_600L,
              "days", 86_400L,
              "weeks", 604_800L,
              "years", 31_536_000L));

  /** Parses one; throws {@link IllegalArgumentException} for anything else. */
  static Retention parse(String text) {
    String[] parts = text.strip().split(":", -1);
    if (parts.length == 2) {
      Matcher step = PART.matcher(parts[0].strip());
      Matcher length = PART.matcher(parts[1].strip());
      if (step.matches() && length.matches()) {
        long seconds = number(step) * (step.group(2).isEmpty() ? 1 : unit(step.group(2)));
        boolean isPoints = length.group(2).isEmpty();
        if (seconds > 0) {
          long points =
              isPoints ? number(length) : number(length) * unit(length.group(2)) / seconds;
          if (points > 0) {
            return new Retention(seconds, points);
          }
        }
      }
    }
    throw new IllegalArgumentException("'" + text.strip() + "' is not a retention such as 10s:6h");
  }

  private static long number(Matcher part) {
    return Long.parseLong(part.group(1));
  }

  /** Length of a unit, s, by any beginning of its name: {@code m}, {@code min}, {@code minutes}. */
  private static long unit(String text) {
    return UNITS.entrySet().stream()
        .filter(unit -> unit.getKey().startsWith(text))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not a unit of time"));
  }

  /** The archive of this length. */
  String archive(double xff) {
    return "%s:%s:%s"
        .formatted(
            Spans.format(1_000 * stepSeconds), Spans.format(1_000 * stepSeconds * points), xff);
  }

  @Override
  public int compareTo(Retention other) {
    return Long.compare(stepSeconds, other.stepSeconds);
  }
}
