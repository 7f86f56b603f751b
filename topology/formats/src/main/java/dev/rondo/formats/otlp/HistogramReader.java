package dev.rondo.formats.otlp;

import dev.rondo.formats.DropReason;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;

/**
 * Converts a histogram's data point to the fields {@code count}, and {@code sum}, {@code min} and
 * {@code max} if present, and {@code bucket}: one series per upper bound, the label {@code le},
 * that counts all values up to it; {@code +Inf} is the last.
 *
 * <pre>
 *   bounds         0.1    1    5
 *   counts      2 |  3  | 0 |  4        bucket;le=0.1 2   le=1 5   le=5 5   le=+Inf 9
 * </pre>
 *
 * Bounds of an exponential histogram come from {@link ExponentialBuckets}, with {@code le} of six
 * digits: the negative ones in ascending order, the zero threshold, then the positive ones.
 */
final class HistogramReader {
  private static final String BUCKET = "bucket";
  private static final String LE = "le";

  private final PointWriter points;

  HistogramReader(PointWriter points) {
    this.points = points;
  }

  void read(HistogramDataPoint data) {
    points.value("count", Unsigned.toDouble(data.getCount()));
    sumAndExtremes(
        data.hasSum() ? data.getSum() : null,
        data.hasMin() ? data.getMin() : null,
        data.hasMax() ? data.getMax() : null);
    int counts = data.getBucketCountsCount();
    int bounds = data.getExplicitBoundsCount();
    if (counts == 0) {
      return;
    }
    if (counts != bounds + 1) {
      points.drop(
          DropReason.UNREADABLE,
          "buckets: %d counts for %d bounds, not one more".formatted(counts, bounds));
      return;
    }
    double upToHere = 0;
    for (int n = 0; n < bounds; n++) {
      upToHere += Unsigned.toDouble(data.getBucketCounts(n));
      bucket(NumberLabel.of(data.getExplicitBounds(n)), upToHere);
    }
    bucket("+Inf", upToHere + Unsigned.toDouble(data.getBucketCounts(bounds)));
  }

  void read(ExponentialHistogramDataPoint data) {
    points.value("count", Unsigned.toDouble(data.getCount()));
    sumAndExtremes(
        data.hasSum() ? data.getSum() : null,
        data.hasMin() ? data.getMin() : null,
        data.hasMax() ? data.getMax() : null);
    double upToHere = 0;
    ExponentialBuckets negative = ExponentialBuckets.of(data.getNegative(), data.getScale());
    for (int n = negative.size() - 1; n >= 0; n--) {
      upToHere += negative.count(n);
      bucket(-negative.lowerBound(n), upToHere);
    }
    upToHere += Unsigned.toDouble(data.getZeroCount());
    bucket(NumberLabel.ofSixDigits(data.getZeroThreshold()), upToHere);
    ExponentialBuckets positive = ExponentialBuckets.of(data.getPositive(), data.getScale());
    for (int n = 0; n < positive.size(); n++) {
      upToHere += positive.count(n);
      bucket(positive.upperBound(n), upToHere);
    }
    bucket("+Inf", upToHere);
  }

  /** Emits the fields that are not null. */
  private void sumAndExtremes(Double sum, Double min, Double max) {
    if (sum != null) {
      points.value("sum", sum);
    }
    if (min != null) {
      points.extreme("min", min);
    }
    if (max != null) {
      points.extreme("max", max);
    }
  }

  /** Adds a bucket; a bound that a double cannot hold is merged with zero or +Inf. */
  private void bucket(double bound, double upToHere) {
    if (bound != 0 && Double.isFinite(bound)) {
      bucket(NumberLabel.ofSixDigits(bound), upToHere);
    }
  }

  private void bucket(String le, double upToHere) {
    points.value(BUCKET, LE, le, upToHere);
  }
}
