package dev.rondo.loadgen.shape;

/**
 * All points of a run before a shape touches them: point {@code n} is the one of series {@code n
 * mod series} at tick {@code n div series}.
 *
 * <pre>
 *           series 0  1  2
 *   tick 0         0  1  2     time of n = start + n / rate
 *   tick 1         3  4  5
 *   tick 2         6  7        points = 8
 * </pre>
 *
 * @param rate points a second
 * @param metrics series a machine; series {@code s} is metric {@code s mod metrics} of machine
 *     {@code s div metrics}
 * @param startMs time of the first point, epoch ms
 * @param points how many there are
 */
public record PointGrid(
    long seed, double rate, int series, int metrics, long startMs, long points) {

  /** The same, with its first point at another time. */
  public PointGrid startingAt(long otherMs) {
    return new PointGrid(seed, rate, series, metrics, otherMs, points);
  }

  /** Which tick the point is of. */
  long tick(long n) {
    return n / series;
  }

  /** Which series the point is of. */
  int seriesOf(long n) {
    return (int) (n % series);
  }

  /** The point of a series at a tick; there need not be one. */
  long ordinal(int series, long tick) {
    return tick * this.series + series;
  }

  /** Time of the point, epoch ms. */
  long timeMs(long n) {
    return startMs + (long) Math.floor(n * 1000.0 / rate);
  }

  /** From one tick to the next, ms. */
  public double intervalMs() {
    return series * 1000.0 / rate;
  }

  /** Random numbers of a purpose, one of {@link Draw}'s. */
  Draw draw(int purpose) {
    return new Draw(seed, purpose);
  }
}
