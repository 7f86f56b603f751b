package dev.rondo.topology.saturation;

/**
 * What a rate of points costs: a line through what was observed, where older observations count
 * less. Part of the cost is there at any rate, such as commits and polls; so a proportion would
 * predict too little at a low rate.
 *
 * <pre>
 *   cost  1 ┤             ╱· available: the line is there at the rate that would saturate
 *           │         ·╱
 *           │  · ╱·
 *     fixed ┤╱
 *           └───────────────── rate
 * </pre>
 *
 * <p>While the rates hardly differ, they do not tell the fixed part, which then counts as 0. Not
 * safe to share between threads.
 */
final class CostLine {
  /** What an observation still counts when the next one is added: half after 69. */
  private static final double KEPT = 0.99;

  /** Least standard deviation of the rates, as a share of their mean, that tells the fixed part. */
  private static final double MIN_SPREAD = 0.1;

  /** At most this share of the mean cost is fixed: a guess beyond it would be bold. */
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

  /** The rate that costs {@code available}; NaN while nothing is known, or points cost nothing. */
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
