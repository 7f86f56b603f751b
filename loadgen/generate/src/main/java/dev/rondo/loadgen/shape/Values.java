package dev.rondo.loadgen.shape;

/** The value of each point: uniform in [0, 100). */
public final class Values {
  private final Draw draw;

  public Values(long seed) {
    this.draw = new Draw(seed, Draw.VALUE);
  }

  /** The value of a series at a tick. */
  public double of(int series, long tick) {
    return draw.uniform(series, tick) * 100.0;
  }
}
