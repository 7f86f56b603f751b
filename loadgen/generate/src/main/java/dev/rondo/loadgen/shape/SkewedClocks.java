package dev.rondo.loadgen.shape;

/**
 * Shifts the times of each machine's points by a constant clock error, up to a bound. The send
 * times do not change.
 */
public final class SkewedClocks implements Shape {
  private final Shape exact;
  private final int metrics;
  private final long skewMs;
  private final Draw draw;

  /**
   * Skews the clocks of a shape.
   *
   * @param exact the shape with correct clocks
   * @param skewMs largest clock error, ahead or behind
   */
  public SkewedClocks(Shape exact, PointGrid grid, long skewMs) {
    this.exact = exact;
    this.metrics = grid.metrics();
    this.skewMs = skewMs;
    this.draw = grid.draw(Draw.CLOCK);
  }

  /** How far a machine's clock is ahead, ms. */
  private long aheadMs(int machine) {
    return (long) Math.floor(draw.uniform(machine, 0) * (2 * skewMs + 1)) - skewMs;
  }

  @Override
  public long dueMs(long turn) {
    return exact.dueMs(turn);
  }

  @Override
  public void take(long turn, PointSink sink) {
    exact.take(
        turn,
        new PointSink() {
          @Override
          public void point(int series, long tick, long tMs) {
            sink.point(series, tick, tMs + aheadMs(series / metrics));
          }

          @Override
          public void garbage(int series) {
            sink.garbage(series);
          }
        });
  }

  @Override
  public long generation(int machine, long tMs) {
    return exact.generation(machine, tMs - aheadMs(machine));
  }
}
