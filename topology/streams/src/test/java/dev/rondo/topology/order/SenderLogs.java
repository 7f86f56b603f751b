package dev.rondo.topology.order;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * What senders without keys have written to the partitions of a topic. Each sends the points of one
 * series, a second apart at least, to any partition; some were offline for a while and send then
 * what they have kept, all at once.
 */
final class SenderLogs {
  /** By which the order of writing may differ from that of sending: requests are under way. */
  private static final long UNDER_WAY_MS = 400;

  private static final int POINTS_OF_A_SENDER = 60;

  /** Where the record times come from. */
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
   * @param appendedMs by the one clock of the universe
   */
  record Sent(String series, long tMs, long recordMs, long appendedMs) {}

  private final Random random;
  private final Times times;
  private final long intervalMs;
  private final long mostSkewMs;
  private final List<List<Sent>> partitions = new ArrayList<>();

  private SenderLogs(Random random, Times times, int count, long spanMs, long mostSkewMs) {
    this.random = random;
    this.times = times;
    this.intervalMs = Math.max(1_000, spanMs / POINTS_OF_A_SENDER);
    this.mostSkewMs = mostSkewMs;
    for (int p = 0; p < count; p++) {
      partitions.add(new ArrayList<>());
    }
  }

  /**
   * The partitions, each in the order of its offsets.
   *
   * @param mostSkewMs by which a sender's clock may be off
   */
  static List<List<Sent>> of(
      Random random, Times times, int count, int senders, long spanMs, long mostSkewMs) {
    var logs = new SenderLogs(random, times, count, spanMs, mostSkewMs);
    for (int sender = 0; sender < senders; sender++) {
      logs.send("s" + sender, spanMs);
    }
    logs.partitions.forEach(log -> log.sort(Comparator.comparingLong(Sent::appendedMs)));
    return logs.partitions;
  }

  private void send(String series, long spanMs) {
    long skewMs = mostSkewMs == 0 ? 0 : random.nextLong(-mostSkewMs, mostSkewMs + 1);
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
      long appendedMs = Math.max(lastAppendedMs[partition], sentMs + random.nextLong(UNDER_WAY_MS));
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
