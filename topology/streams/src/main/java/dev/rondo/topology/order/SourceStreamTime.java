package dev.rondo.topology.order;

/**
 * The newest record time of a source partition, its front, and by how much record times are out of
 * order there. With {@code LogAppendTime} they never are; with {@code CreateTime} they are the
 * senders' clocks, which differ, and a sender that was offline sends old ones.
 *
 * <pre>
 *   record time   10 11 12 72 13 73 14
 *   front         10 11 12 72 72 73 73       disorder: 60 behind the front + a jump of 60
 * </pre>
 */
public final class SourceStreamTime {
  /** Record times further behind are those of a sender that sends what it has kept. */
  static final long MAX_BEHIND_MS = 300_000;

  /** What was observed counts for so much time of the front, and so many records, at least. */
  private static final long WINDOW_MS = 300_000;

  private static final int WINDOW_RECORDS = 100;

  private long streamTimeMs = Long.MIN_VALUE;
  private long windowEndMs = Long.MIN_VALUE;
  private int windowRecords;
  private long behindMs;
  private long jumpMs;
  private long behindBeforeMs;
  private long jumpBeforeMs;

  /** Continues from the front of an earlier task; a negative one is not known. */
  public void resume(long earlierMs) {
    if (earlierMs >= 0) {
      streamTimeMs = Math.max(streamTimeMs, earlierMs);
    }
  }

  /**
   * Takes the time of the next record.
   *
   * @param sendersClock whether it is the time of its sender
   */
  public void add(long recordMs, boolean sendersClock) {
    if (sendersClock && streamTimeMs != Long.MIN_VALUE) {
      observe(recordMs);
    }
    streamTimeMs = Math.max(streamTimeMs, recordMs);
  }

  private void observe(long recordMs) {
    if (recordMs >= windowEndMs && windowRecords >= WINDOW_RECORDS) {
      behindBeforeMs = behindMs;
      jumpBeforeMs = jumpMs;
      behindMs = 0;
      jumpMs = 0;
      windowEndMs = recordMs + WINDOW_MS;
      windowRecords = 0;
    }
    windowRecords++;
    if (recordMs > streamTimeMs) {
      jumpMs = Math.max(jumpMs, recordMs - streamTimeMs);
    } else if (streamTimeMs - recordMs <= MAX_BEHIND_MS) {
      behindMs = Math.max(behindMs, streamTimeMs - recordMs);
    }
  }

  /** The newest record time, epoch ms; {@link Long#MIN_VALUE} before the first. */
  public long streamTimeMs() {
    return streamTimeMs;
  }

  /** By how much record times lately were behind the front, ms. */
  public long behindMs() {
    return Math.max(behindMs, behindBeforeMs);
  }

  /**
   * How far the fronts of two partitions may be apart at one moment, ms: what record times lately
   * were behind the front, and by how much the front lately jumped.
   */
  public long disorderMs() {
    return behindMs() + Math.max(jumpMs, jumpBeforeMs);
  }
}
