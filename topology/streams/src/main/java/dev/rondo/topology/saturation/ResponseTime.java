package dev.rondo.topology.saturation;

import dev.rondo.topology.lag.Lag;

/** Ratio of the response time of points to their service time. */
final class ResponseTime {
  /** Shortest service time, seconds: a fetch without load takes this long. */
  private static final double MIN_SERVICE_SECONDS = 0.01;

  private ResponseTime() {}

  /**
   * Returns the ratio, at least 1.
   *
   * @param fetched fetched points, with their lag at the fetch
   * @param decoded decoded points, with their lag after decoding
   * @param oldestSeconds age of the oldest waiting record, which is the response time if nothing is
   *     decoded
   */
  static double ratio(Lag.Totals fetched, Lag.Totals decoded, double oldestSeconds) {
    if (decoded.points() <= 0) {
      return Math.max(1, oldestSeconds / MIN_SERVICE_SECONDS);
    }
    double response = decoded.seconds() / decoded.points();
    double service = response - fetched.seconds() / decoded.points();
    return Math.max(1, response / Math.max(service, MIN_SERVICE_SECONDS));
  }
}
