package dev.rondo.loadgen.shape;

/**
 * Points as agents send them: all points of a machine at a tick have the same time. Some machines
 * round it down to a multiple of the interval, as Telegraf and collectd do; the others have a
 * constant phase and a small random delay. A point is sent at the end of its possible delay, so
 * that none is sent before its own time.
 */
final class Collectors extends Steady {
  private final double alignedShare;
  private final double jitterMs;
  private final Draw aligned;
  private final Draw delay;

  /**
   * @param alignedShare share of the machines that round
   * @param jitter maximum delay of the others, as a share of the interval; as for {@link Jitter}
   */
  Collectors(PointGrid grid, double alignedShare, double jitter) {
    super(grid);
    this.alignedShare = alignedShare;
    this.jitterMs = Jitter.maxDelayMs(grid, jitter);
    this.aligned = grid.draw(Draw.ALIGNED);
    this.delay = grid.draw(Draw.JITTER);
  }

  @Override
  public long dueMs(long turn) {
    return grid.timeMs(turn) + (long) Math.floor(jitterMs);
  }

  @Override
  void take(int series, long tick, long ownMs, PointSink sink) {
    int machine = series / grid.metrics();
    long tMs = grid.timeMs(grid.ordinal(machine * grid.metrics(), tick));
    if (aligned.uniform(machine, 0) < alignedShare) {
      sink.point(series, tick, tMs - tMs % (long) grid.intervalMs());
    } else {
      long delayMs = (long) Math.floor(delay.uniform(machine, tick) * jitterMs);
      sink.point(series, tick, tMs + delayMs);
    }
  }
}
