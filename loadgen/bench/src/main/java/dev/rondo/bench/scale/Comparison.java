package dev.rondo.bench.scale;

/**
 * A predicted figure and the measured one.
 *
 * @param unit as printed
 */
record Comparison(String what, String unit, double predicted, double measured) {
  /** Largest difference of a good prediction, percent of what was measured. */
  static final double TOLERANCE_PERCENT = 20;

  /** How far the prediction is above the measurement, percent of that. */
  double differencePercent() {
    return 100 * (predicted - measured) / measured;
  }

  boolean isGood() {
    return Math.abs(differencePercent()) <= TOLERANCE_PERCENT;
  }

  String line() {
    return "%-34s %12.3f %12.3f %+11.0f %%  %s"
        .formatted(
            what + ", " + unit,
            predicted,
            measured,
            differencePercent(),
            isGood() ? "" : "beyond %.0f %%".formatted(TOLERANCE_PERCENT))
        .stripTrailing();
  }
}
