package dev.rondo.tools.check;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** How long after their time points were written, ms; negative = before it. */
final class Lag {
  private final long[] sorted;

  Lag(List<CheckedRecord> records) {
    this.sorted =
        records.stream()
            .flatMapToLong(
                record ->
                    record.points().stream().mapToLong(point -> record.writtenMs() - point.tMs()))
            .sorted()
            .toArray();
  }

  /** Of {@code share} of the points it is not more; 0.5 = the median. Empty without points. */
  OptionalLong quantile(double share) {
    return sorted.length == 0
        ? OptionalLong.empty()
        : OptionalLong.of(sorted[(int) Math.round(share * (sorted.length - 1))]);
  }

  String told() {
    if (sorted.length == 0) {
      return "none";
    }
    return "%s to %s before the writing of their record, half of them %s or less"
        .formatted(
            show(sorted[0]), show(sorted[sorted.length - 1]), show(quantile(0.5).orElseThrow()));
  }

  /** Such as {@code 1.250 s} or {@code 3 d 4 h}. */
  static String show(long ms) {
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
