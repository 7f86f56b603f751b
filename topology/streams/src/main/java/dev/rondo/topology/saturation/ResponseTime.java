package dev.rondo.topology.saturation;

import dev.rondo.topology.lag.Lag;

/** The response time of points by their service time. */
final class ResponseTime {
  /** A fetch without load takes this long, seconds; service times below count as this. */
  private static final double MIN_SERVICE_SECONDS = 0.01;

  private ResponseTime() {}

  /**
   * The ratio, from 1.
   *
   * @param fetched points that were fetched, with their lag then
   * @param decoded the same points, with their lag when they were decoded
   * @param oldestSeconds age of the oldest record that waits: the response time, if nothing is
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
