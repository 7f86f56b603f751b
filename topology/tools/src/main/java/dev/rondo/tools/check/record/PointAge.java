package dev.rondo.tools.check.record;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * Time from the points' own time to the writing of their record, ms; negative if the point is in
 * the future.
 */
public final class PointAge {
  private final long[] sorted;

  PointAge(List<CheckedRecord> records) {
    this.sorted =
        records.stream()
            .flatMapToLong(
                record ->
                    record.points().stream().mapToLong(point -> record.writtenMs() - point.tMs()))
            .sorted()
            .toArray();
  }

  /**
   * The lag that {@code share} of the points do not exceed; 0.5 = the median. Empty without points.
   */
  public OptionalLong quantile(double share) {
    return sorted.length == 0
        ? OptionalLong.empty()
        : OptionalLong.of(sorted[(int) Math.round(share * (sorted.length - 1))]);
  }

  public String text() {
    if (sorted.length == 0) {
      return "none";
    }
    return "%s to %s before their record was written, half of them %s or less"
        .formatted(
            show(sorted[0]), show(sorted[sorted.length - 1]), show(quantile(0.5).orElseThrow()));
  }

  /** Formats a length of time, such as {@code 1.250 s} or {@code 3 d 4 h}. */
  public static String show(long ms) {
    Duration length = Duration.ofMillis(Math.abs(ms));
    String sign = ms < 0 ? "-" : "";
    if (length.toDays() > 0) {
      return sign + length.toDays() + " d " + length.toHoursPart() + " h";
    }
    if (length.toMinutes() > 1) {
      return sign + length.toMinutes() + " min";
    }
    return sign
        + (length.toMillis() % 1000 == 0
            ? length.toSeconds() + " s"
            : "%d.%03d s".formatted(length.toSeconds(), length.toMillisPart()));
  }
}
