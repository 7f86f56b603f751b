package dev.rondo.topology.lag;

/**
 * When the records of a partition arrived, as far as its end offsets tell. The broker tells the end
 * again and again; a record arrived after the last time that the end was not behind it, and by the
 * first time that it was. Its own timestamp says when within that:
 *
 * <pre>
 *   end          7 ······· 7    9 ······· 9    12
 *   seen         │ first   │ last
 *   record 8               └────┘ arrived      timestamp in it: that; else the nearer bound
 * </pre>
 *
 * <p>With {@code CreateTime} timestamps come from senders' clocks, and say when a value was
 * measured. So they are believed only within the bounds, except for records that were there at the
 * first look: nothing else tells when those arrived.
 *
 * <p>Older looks are thinned out, so that the bounds of a record widen in proportion to its age.
 * Safe to share between threads.
 */
final class EndHistory {
  private static final int MAX_LOOKS = 64;

  /** End offsets, ascending, with the first and the last time that each was seen, epoch ms. */
  private final long[] ends = new long[MAX_LOOKS];

  private final long[] firstMs = new long[MAX_LOOKS];
  private final long[] lastMs = new long[MAX_LOOKS];
  private int looks;

  /**
   * Adds the end that the broker told.
   *
   * @param requestedMs the end was not before this time, epoch ms
   * @param answeredMs and not after this one
   */
  synchronized void see(long end, long requestedMs, long answeredMs) {
    while (looks > 0 && ends[looks - 1] > end) { // the topic was made anew, or truncated
      looks--;
    }
    if (looks > 0 && ends[looks - 1] == end) {
      lastMs[looks - 1] = requestedMs;
      return;
    }
    if (looks == MAX_LOOKS) {
      dropOne(answeredMs);
    }
    ends[looks] = end;
    firstMs[looks] = answeredMs;
    lastMs[looks] = requestedMs;
    looks++;
  }

  /** Drops the look whose neighbours are the closest for their age. The first one stays. */
  private void dropOne(long nowMs) {
    int dropped = 1;
    double closest = Double.MAX_VALUE;
    for (int n = 1; n < looks - 1; n++) {
      double apart = (double) (firstMs[n + 1] - firstMs[n - 1]) / (1 + nowMs - firstMs[n]);
      if (apart < closest) {
        closest = apart;
        dropped = n;
      }
    }
    for (long[] column : new long[][] {ends, firstMs, lastMs}) {
      System.arraycopy(column, dropped + 1, column, dropped, looks - dropped - 1);
    }
    looks--;
  }

  /** The end that was seen last; 0 before the first look. */
  synchronized long end() {
    return looks == 0 ? 0 : ends[looks - 1];
  }

  /**
   * When a record arrived, epoch ms.
   *
   * @param offset -1 = unknown
   * @param recordMs its timestamp, or one before it in the partition; negative = unknown
   * @param nowMs this time at the latest
   */
  synchronized long arrivedMs(long offset, long recordMs, long nowMs) {
    if (looks == 0 || offset < 0) {
      return recordMs < 0 ? nowMs : Math.min(recordMs, nowMs);
    }
    int at = firstBehind(offset);
    long byMs = at == looks ? nowMs : Math.min(firstMs[at], nowMs);
    if (recordMs < 0) {
      return byMs;
    }
    long afterMs = at == 0 ? Long.MIN_VALUE : lastMs[at - 1];
    return Math.min(Math.max(recordMs, afterMs), byMs);
  }

  /** The first look that saw an end behind the record; {@link #looks} if none did. */
  private int firstBehind(long offset) {
    int low = 0;
    int high = looks;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ends[middle] > offset) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
