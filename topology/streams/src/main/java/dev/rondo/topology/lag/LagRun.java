package dev.rondo.topology.lag;

import org.apache.kafka.common.TopicPartition;

/**
 * Counts the points of one source partition that reach a stage. Batches written within a tenth of a
 * second, the finest bound of the histogram, are counted together, as a batch may be a single
 * point. Not safe to share between threads.
 */
public final class LagRun {
  private static final long TOGETHER_MS = 100;

  private final Lag lag;
  private final Stage stage;
  private final TopicPartition partition;
  private long offset;
  private long recordMs;
  private long points;

  public LagRun(Lag lag, Stage stage, TopicPartition partition) {
    this.lag = lag;
    this.stage = stage;
    this.partition = partition;
  }

  /**
   * Adds points that reach the stage now.
   *
   * @param offset offset of their record
   * @param recordMs timestamp of their record, epoch ms
   */
  public void add(long offset, long recordMs, int more) {
    if (points > 0 && Math.abs(recordMs - this.recordMs) > TOGETHER_MS) {
      report();
    }
    if (points == 0) {
      this.offset = offset;
      this.recordMs = recordMs;
    }
    points += more;
  }

  /** Adds the counted points to the histogram, which all threads share. */
  public void report() {
    if (points > 0) {
      lag.reached(stage, lag.arrival(partition, offset, recordMs), points);
      points = 0;
    }
  }
}
