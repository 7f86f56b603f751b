package dev.rondo.topology.saturation;

/**
 * Cost of a rate of points: a line through observations, weighted by age. Part of the cost, such as
 * commits and polls, does not depend on the rate, so a mere proportion would predict too low a
 * maximum from a low rate.
 *
 * <pre>
 *   cost  1 ┤             ╱· available, at the rate that saturates
 *           │         ·╱
 *           │  · ╱·
 *     fixed ┤╱
 *           └───────────────── rate
 * </pre>
 *
 * <p>While rates hardly differ, the fixed part is unknown and counts as 0. Not safe to share
 * between threads.
 */
final class CostLine {
  /** Weight that an observation keeps with each new one: half after 69. */
  private static final double KEPT = 0.99;

  /**
   * Least standard deviation of rates, as a share of their mean, from which the fixed part is
   * known.
   */
  private static final double MIN_SPREAD = 0.1;

  /** Largest fixed share of the mean cost. */
  private static final double MAX_FIXED = 0.5;

  private double weight;
  private double rates;
  private double costs;
  private double squares;
  private double products;

  /** Adds an observation. */
  void add(double rate, double cost) {
    weight = KEPT * weight + 1;
    rates = KEPT * rates + rate;
    costs = KEPT * costs + cost;
    squares = KEPT * squares + rate * rate;
    products = KEPT * products + rate * cost;
  }

  /**
   * Returns the rate that costs {@code available}; NaN before the first observation, or if points
   * cost nothing.
   */
  double rateAt(double available) {
    double rate = rates / weight;
    double cost = costs / weight;
    if (!(rate > 0 && cost > 0)) {
      return Double.NaN;
    }
    double fixed = Math.min(Math.max(0, fixed(rate, cost)), MAX_FIXED * cost);
    return (available - fixed) / (cost - fixed) * rate;
  }

  private double fixed(double rate, double cost) {
    double variance = squares / weight - rate * rate;
    if (variance < MIN_SPREAD * MIN_SPREAD * rate * rate) {
      return 0;
    }
    double each = (products / weight - rate * cost) / variance;
    return cost - each * rate;
  }
}
