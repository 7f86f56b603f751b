package dev.rondo.topology.order;

/**
 * Stream time of a source partition, its newest record time, and how far its record times are out
 * of order. {@code LogAppendTime} is always in order. {@code CreateTime} comes from the senders'
 * clocks, which differ, and a sender that was offline sends old times.
 *
 * <pre>
 *   record time   10 11 12 72 13 73 14
 *   stream time   10 11 12 72 72 73 73       disorder: 59 behind + a jump of 60
 * </pre>
 */
public final class SourceStreamTime {
  /** Record times further behind come from a sender that was offline and are ignored. */
  public static final long MAX_BEHIND_MS = 300_000;

  /**
   * An observation counts for at least this much stream time and {@link #WINDOW_RECORDS} records. A
   * jump counts until its time is reached, as it shows how far the stream time is ahead.
   */
  private static final long WINDOW_MS = 300_000;

  private static final int WINDOW_RECORDS = 100;

  private long streamTimeMs = Long.MIN_VALUE;
  private long windowEndMs = Long.MIN_VALUE;
  private int windowRecords;
  private long behindMs;
  private long jumpMs;
  private long behindBeforeMs;
  private long jumpBeforeMs;

  /** Resumes the stream time of an earlier task, epoch ms; negative = unknown. */
  public void resume(long earlierMs) {
    if (earlierMs >= 0) {
      streamTimeMs = Math.max(streamTimeMs, earlierMs);
    }
  }

  /**
   * Adds the time of the next record.
   *
   * @param sendersClock whether the time comes from the sender's clock
   */
  public void add(long recordMs, boolean sendersClock) {
    if (sendersClock && streamTimeMs != Long.MIN_VALUE) {
      observe(recordMs);
    }
    streamTimeMs = Math.max(streamTimeMs, recordMs);
  }

  private void observe(long recordMs) {
    if (recordMs >= Math.max(windowEndMs, streamTimeMs) && windowRecords >= WINDOW_RECORDS) {
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

  /** How far recent record times were behind the stream time, ms. */
  public long behindMs() {
    return Math.max(behindMs, behindBeforeMs);
  }

  /**
   * How far the stream times of two partitions may differ at one moment, ms: the furthest recent
   * record time behind plus the largest recent jump.
   */
  public long disorderMs() {
    return behindMs() + Math.max(jumpMs, jumpBeforeMs);
  }
}
