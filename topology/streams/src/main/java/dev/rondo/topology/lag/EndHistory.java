package dev.rondo.topology.lag;

/**
 * Estimates when the records of a partition arrived, from samples of its end offset. A record
 * arrived between the last sample that does not include it and the first that does. Its timestamp
 * places it within these bounds:
 *
 * <pre>
 *   end          7 ······· 7    9 ······· 9    12
 *   seen         │ first   │ last
 *   record 8               └────┘ arrived      at its timestamp, else at the nearer bound
 * </pre>
 *
 * <p>{@code CreateTime} timestamps come from senders' clocks and say when a value was measured, so
 * they count only within the bounds. Records from before the first sample have no lower bound.
 *
 * <p>Older samples are thinned out, so that the bounds of a record widen in proportion to its age.
 * Safe to share between threads.
 */
final class EndHistory {
  private static final int MAX_SAMPLES = 64;

  /** Sampled end offsets, ascending. */
  private final long[] ends = new long[MAX_SAMPLES];

  /** First and last time that each end was seen, epoch ms. */
  private final long[] firstMs = new long[MAX_SAMPLES];

  private final long[] lastMs = new long[MAX_SAMPLES];
  private int samples;

  /**
   * Adds a sample of the end offset.
   *
   * @param requestedMs time before the broker determined the end, epoch ms
   * @param answeredMs time after it did, epoch ms
   */
  synchronized void see(long end, long requestedMs, long answeredMs) {
    while (samples > 0 && ends[samples - 1] > end) { // the topic was recreated or truncated
      samples--;
    }
    if (samples > 0 && ends[samples - 1] == end) {
      lastMs[samples - 1] = requestedMs;
      return;
    }
    if (samples == MAX_SAMPLES) {
      dropOne(answeredMs);
    }
    ends[samples] = end;
    firstMs[samples] = answeredMs;
    lastMs[samples] = requestedMs;
    samples++;
  }

  /** Drops the sample whose neighbours are closest relative to their age; never the first. */
  private void dropOne(long nowMs) {
    int dropped = 1;
    double closest = Double.MAX_VALUE;
    for (int n = 1; n < samples - 1; n++) {
      double apart = (double) (firstMs[n + 1] - firstMs[n - 1]) / (1 + nowMs - firstMs[n]);
      if (apart < closest) {
        closest = apart;
        dropped = n;
      }
    }
    for (long[] column : new long[][] {ends, firstMs, lastMs}) {
      System.arraycopy(column, dropped + 1, column, dropped, samples - dropped - 1);
    }
    samples--;
  }

  /** Latest end offset; 0 before the first sample. */
  synchronized long end() {
    return samples == 0 ? 0 : ends[samples - 1];
  }

  /**
   * Returns when a record arrived, epoch ms.
   *
   * @param offset offset of the record; -1 = unknown
   * @param recordMs timestamp of the record, or of an earlier one; negative = unknown
   * @param nowMs upper bound
   */
  synchronized long arrivedMs(long offset, long recordMs, long nowMs) {
    if (samples == 0 || offset < 0) {
      return recordMs < 0 ? nowMs : Math.min(recordMs, nowMs);
    }
    int at = firstWith(offset);
    long byMs = at == samples ? nowMs : Math.min(firstMs[at], nowMs);
    if (recordMs < 0) {
      return byMs;
    }
    long afterMs = at == 0 ? Long.MIN_VALUE : lastMs[at - 1];
    return Math.min(Math.max(recordMs, afterMs), byMs);
  }

  /** Returns the first sample that includes the record; {@link #samples} if none does. */
  private int firstWith(long offset) {
    int low = 0;
    int high = samples;
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
