package dev.rondo.loadgen.shape;

/**
 * Replaces each machine, after its lifetime, by a new one with new series; not all at the same
 * time.
 */
final class Churn extends Steady {
  private final long lifeMs;
  private final Draw draw;

  Churn(PointGrid grid, long lifeMs) {
    super(grid);
    this.lifeMs = lifeMs;
    this.draw = grid.draw(Draw.CHURN);
  }

  @Override
  public long generation(int machine, long tMs) {
    double aliveMs = tMs - grid.startMs() + draw.uniform(machine, 0) * lifeMs;
    return (long) Math.floor(Math.max(0, aliveMs) / lifeMs);
  }
}
