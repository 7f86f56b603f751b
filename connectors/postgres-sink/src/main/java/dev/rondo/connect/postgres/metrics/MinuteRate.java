package dev.rondo.connect.postgres.metrics;

/** Events per second over the last {@value #SECONDS} seconds. */
final class MinuteRate {
  private static final int SECONDS = 60;

  private final long[] counts = new long[SECONDS];
  private final long[] secondOf = new long[SECONDS];

  /**
   * @param nowS whole seconds from 1, never decreasing
   */
  void add(long nowS, long n) {
    int at = (int) (nowS % SECONDS);
    if (secondOf[at] != nowS) { // from an earlier minute
      secondOf[at] = nowS;
      counts[at] = 0;
    }
    counts[at] += n;
  }

  double perSecond(long nowS) {
    long sum = 0;
    for (int k = 0; k < SECONDS; k++) {
      if (secondOf[k] > nowS - SECONDS) {
        sum += counts[k];
      }
    }
    return (double) sum / SECONDS;
  }
}
