package dev.rondo.topology.order;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * Unkeyed records in the partitions of a topic. Each sender sends the points of one series, at
 * least a second apart, to any partition. Some were offline for a while and then send their
 * buffered points all at once.
 */
final class SenderLogs {
  /** By how much the write order may differ from the send order: requests are in flight. */
  private static final long IN_FLIGHT_MS = 400;

  private static final int POINTS_OF_A_SENDER = 60;

  /** Source of the record times. */
  enum Times {
    /** The broker. */
    LOG_APPEND,
    /** The sender's clock when it sends. */
    CREATE,
    /** The sender's clock when it measured. */
    MEASURED
  }

  /**
   * A record with one point.
   *
   * @param appendedMs true time of the append
   */
  record Sent(String series, long tMs, long recordMs, long appendedMs) {}

  private final Random random;
  private final Times times;
  private final long intervalMs;
  private final long maxSkewMs;
  private final List<List<Sent>> partitions = new ArrayList<>();

  private SenderLogs(Random random, Times times, int count, long spanMs, long maxSkewMs) {
    this.random = random;
    this.times = times;
    this.intervalMs = Math.max(1_000, spanMs / POINTS_OF_A_SENDER);
    this.maxSkewMs = maxSkewMs;
    for (int p = 0; p < count; p++) {
      partitions.add(new ArrayList<>());
    }
  }

  /**
   * Returns the partitions, each in offset order.
   *
   * @param maxSkewMs largest error of a sender's clock
   * @param aheadMs how far the clock of one more sender is ahead; 0 = no such sender
   */
  static List<List<Sent>> of(
      Random random,
      Times times,
      int count,
      int senders,
      long spanMs,
      long maxSkewMs,
      long aheadMs) {
    var logs = new SenderLogs(random, times, count, spanMs, maxSkewMs);
    for (int sender = 0; sender < senders; sender++) {
      logs.send("s" + sender, spanMs, logs.skewMs());
    }
    if (aheadMs > 0) {
      logs.send("ahead", spanMs, aheadMs);
    }
    logs.partitions.forEach(log -> log.sort(Comparator.comparingLong(Sent::appendedMs)));
    return logs.partitions;
  }

  private long skewMs() {
    return maxSkewMs == 0 ? 0 : random.nextLong(-maxSkewMs, maxSkewMs + 1);
  }

  private void send(String series, long spanMs, long skewMs) {
    boolean wasOffline = random.nextInt(4) == 0;
    long goneMs = wasOffline ? random.nextLong(spanMs) : spanMs;
    long backMs = wasOffline ? goneMs + random.nextLong(spanMs) : spanMs;
    long[] lastAppendedMs = new long[partitions.size()];
    long sentMs = 0;
    for (long ms = random.nextLong(intervalMs); ms < spanMs; ms += intervalMs) {
      boolean isKept = ms >= goneMs && ms < backMs;
      sentMs = isKept ? Math.max(sentMs + random.nextInt(20), backMs) : Math.max(sentMs, ms);
      int partition = random.nextInt(partitions.size());
      // a producer keeps its order within a partition
      long appendedMs = Math.max(lastAppendedMs[partition], sentMs + random.nextLong(IN_FLIGHT_MS));
      lastAppendedMs[partition] = appendedMs;
      long recordMs =
          switch (times) {
            case LOG_APPEND -> appendedMs;
            case CREATE -> sentMs + skewMs;
            case MEASURED -> ms + skewMs;
          };
      partitions.get(partition).add(new Sent(series, ms + skewMs, recordMs, appendedMs));
    }
  }
}
