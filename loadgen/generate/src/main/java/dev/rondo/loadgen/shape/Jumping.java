package dev.rondo.loadgen.shape;

/**
 * The clocks of machines jump ahead or back for some ticks, and then return. The send times do not
 * change.
 */
final class Jumping extends Steady {
  private final long jumpTicks;
  private final double jumpShare;
  private final long jumpMs;
  private final Draw draw;

  /**
   * @param jumpTicks number of consecutive ticks with the same clock error
   * @param jumpShare share of such groups with an error, half of them ahead
   * @param jumpMs the error
   */
  Jumping(PointGrid grid, long jumpTicks, double jumpShare, long jumpMs) {
    super(grid);
    this.jumpTicks = jumpTicks;
    this.jumpShare = jumpShare;
    this.jumpMs = jumpMs;
    this.draw = grid.draw(Draw.JUMP);
  }

  @Override
  void take(int series, long tick, long tMs, PointSink sink) {
    sink.point(series, tick, tMs + aheadMs(series / grid.metrics(), tick));
  }

  /** How far a machine's clock is ahead at a tick, ms. */
  private long aheadMs(int machine, long tick) {
    double drawn = draw.uniform(machine, tick / jumpTicks);
    return drawn < jumpShare / 2 ? jumpMs : drawn < jumpShare ? -jumpMs : 0;
  }
}
