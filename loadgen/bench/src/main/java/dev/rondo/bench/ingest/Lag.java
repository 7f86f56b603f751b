package dev.rondo.bench.ingest;

/**
 * Points that are due by the plan but not yet consumed, over time. The lag includes that of a load
 * generator that falls behind.
 */
public final class Lag {
  /** Growth per second that still counts as steady, as a share of the rate. */
  private static final double STEADY = 0.01;

  /** Largest final lag of a sustained rate, s of points. */
  private static final double MOST_SECONDS = 5;

  private final long startMs;
  private final double rate;
  private final long before;
  private int samples;
  private double sumX;
  private double sumY;
  private double sumXx;
  private double sumXy;
  private double newest;

  /**
   * @param startMs planned time of the first point, epoch ms
   * @param rate points per second
   * @param before points consumed before that
   */
  public Lag(long startMs, double rate, long before) {
    this.startMs = startMs;
    this.rate = rate;
    this.before = before;
  }

  /** Records that {@code points} have been consumed by now. */
  public void see(long points) {
    double seconds = (System.currentTimeMillis() - startMs) / 1000.0;
    newest = rate * seconds - (points - before);
    samples++;
    sumX += seconds;
    sumY += newest;
    sumXx += seconds * seconds;
    sumXy += seconds * newest;
  }

  /** The lag as the time that the newest points wait. */
  public double newestSeconds() {
    return newest / rate;
  }

  /** Growth in points per second, by least squares over all samples. */
  public double growth() {
    double spread = samples * sumXx - sumX * sumX;
    return spread == 0 ? 0 : (samples * sumXy - sumX * sumY) / spread;
  }

  /** Whether the lag is small and does not grow. */
  public boolean isSustained() {
    return growth() < STEADY * rate && newestSeconds() < MOST_SECONDS;
  }
}
