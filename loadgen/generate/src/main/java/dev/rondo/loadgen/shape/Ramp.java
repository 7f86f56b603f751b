package dev.rondo.loadgen.shape;

/**
 * The rate grows linearly over the run, from a share of the rate to the rate.
 *
 * <pre>
 *   rate  |          ___/    points up to second t, of T:  n = r0·t + (r1 − r0)·t² / (2T)
 *         |    _____/        all of them:                  N = (r0 + r1)/2 · T
 *   r0    |___/              so                            t = 2n / (r0 + √(r0² + (r1² − r0²)·n/N))
 *         +----------- t
 * </pre>
 */
final class Ramp extends Steady {
  private final double first;
  private final double growth;

  /**
   * @param from initial share of the rate, 0..1
   */
  Ramp(PointGrid grid, double from) {
    super(grid);
    this.first = from * grid.rate();
    this.growth = grid.rate() * grid.rate() - first * first;
  }

  @Override
  public long dueMs(long turn) {
    if (turn == 0) {
      return grid.startMs(); // avoids 0 / 0 if the initial rate is 0
    }
    double root = Math.sqrt(first * first + growth * turn / grid.points());
    return grid.startMs() + (long) Math.floor(turn * 2000.0 / (first + root));
  }

  @Override
  void take(int series, long tick, long tMs, PointSink sink) {
    sink.point(series, tick, dueMs(grid.ordinal(series, tick)));
  }
}
