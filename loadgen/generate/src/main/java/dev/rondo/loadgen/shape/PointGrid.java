package dev.rondo.loadgen.shape;

/**
 * All points of a run before a shape changes them: point {@code n} belongs to series {@code n mod
 * series} at tick {@code n div series}.
 *
 * <pre>
 *           series 0  1  2
 *   tick 0         0  1  2     time of n = start + n / rate
 *   tick 1         3  4  5
 *   tick 2         6  7        points = 8
 * </pre>
 *
 * @param rate points per second
 * @param metrics series per machine; series {@code s} is metric {@code s mod metrics} of machine
 *     {@code s div metrics}
 * @param startMs time of the first point, epoch ms
 * @param points number of points
 */
public record PointGrid(
    long seed, double rate, int series, int metrics, long startMs, long points) {

  /** The same grid with another start time. */
  public PointGrid startingAt(long otherMs) {
    return new PointGrid(seed, rate, series, metrics, otherMs, points);
  }

  /** Tick of point {@code n}. */
  long tick(long n) {
    return n / series;
  }

  /** Series of point {@code n}. */
  int seriesOf(long n) {
    return (int) (n % series);
  }

  /** Number of the point of a series at a tick; it may be outside the grid. */
  long ordinal(int series, long tick) {
    return tick * this.series + series;
  }

  /** Time of point {@code n}, epoch ms. */
  long timeMs(long n) {
    return startMs + (long) Math.floor(n * 1000.0 / rate);
  }

  /** Interval between ticks, ms. */
  public double intervalMs() {
    return series * 1000.0 / rate;
  }

  /** The random numbers for a purpose, a constant of {@link Draw}. */
  Draw draw(int purpose) {
    return new Draw(seed, purpose);
  }
}
