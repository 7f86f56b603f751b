package dev.rondo.loadgen.shape;

/**
 * Replaces each machine, after its lifetime, by a new one with new series; not all at the same
 * time.
 */
final class Churn implements Shape {
  private final PointGrid grid;
  private final long lifeMs;
  private final Draw draw;

  Churn(PointGrid grid, long lifeMs) {
    this.grid = grid;
    this.lifeMs = lifeMs;
    this.draw = grid.draw(Draw.CHURN);
  }

  @Override
  public long dueMs(long turn) {
    return grid.timeMs(turn);
  }

  @Override
  public void take(long turn, PointSink sink) {
    sink.point(grid.seriesOf(turn), grid.tick(turn), grid.timeMs(turn));
  }

  @Override
  public long generation(int machine, long tMs) {
    double aliveMs = tMs - grid.startMs() + draw.uniform(machine, 0) * lifeMs;
    return (long) Math.floor(Math.max(0, aliveMs) / lifeMs);
  }
}
