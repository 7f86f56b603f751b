package dev.rondo.bench.ingest;

/**
 * Points that should have been taken in by now and are not, over time: the plan says how many have
 * been due, so that a load generator that falls behind is part of it.
 */
final class Lag {
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
   * @param startMs when the first point was due, epoch ms
   * @param rate points a second
   * @param before points that had been taken in by then
   */
  Lag(long startMs, double rate, long before) {
    this.startMs = startMs;
    this.rate = rate;
    this.before = before;
  }

  /** {@code points} have been taken in by now. */
  void see(long points) {
    double seconds = (System.currentTimeMillis() - startMs) / 1000.0;
    newest = rate * seconds - (points - before);
    samples++;
    sumX += seconds;
    sumY += newest;
    sumXx += seconds * seconds;
    sumXy += seconds * newest;
  }

  /** As time: how long the newest points wait. */
  double newestSeconds() {
    return newest / rate;
  }

  /** Points a second that it grows by, by least squares over all that was seen. */
  double growth() {
    double spread = samples * sumXx - sumX * sumX;
    return spread == 0 ? 0 : (samples * sumXy - sumX * sumY) / spread;
  }
}
