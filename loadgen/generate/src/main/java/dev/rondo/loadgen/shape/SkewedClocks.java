package dev.rondo.loadgen.shape;

/**
 * The clock of each machine is off by a constant of its own, up to a bound: its points have the
 * time that its clock shows. When they leave does not depend on it.
 */
public final class SkewedClocks implements Shape {
  private final Shape exact;
  private final int metrics;
  private final long skewMs;
  private final Draw draw;

  /**
   * @param exact the shape as it is with clocks that are right
   * @param skewMs most that a clock is ahead or behind
   */
  public SkewedClocks(Shape exact, PointGrid grid, long skewMs) {
    this.exact = exact;
    this.metrics = grid.metrics();
    this.skewMs = skewMs;
    this.draw = grid.draw(Draw.CLOCK);
  }

  /** How far the clock of a machine is ahead, ms. */
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
