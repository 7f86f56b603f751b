package dev.rondo.loadgen.send;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Counts acknowledged and failed points, and measures the latency of acknowledgements. Only one
 * thread may create callbacks.
 */
final class Acks {
  private static final int DIGITS = 3;
  private static final long MOMENT_NANOS = 100_000;

  private final LongAdder ackedPoints = new LongAdder();
  private final LongAdder failedPoints = new LongAdder();
  private final LongAdder settled = new LongAdder();
  private final Histogram micros = new ConcurrentHistogram(DIGITS);
  private Ack last = new Ack(-1, 0);
  private volatile String firstFailure = "";

  /**
   * A callback for a record that is sent now. Records of the same size within 0.1 ms share one:
   * with millions of records, separate callbacks would be the largest cost in the producer.
   *
   * @param points in it
   */
  Callback ofNow(int points) {
    long nanos = System.nanoTime();
    if (points != last.points || nanos - last.nanos > MOMENT_NANOS) {
      last = new Ack(points, nanos);
    }
    return last;
  }

  /** Counts points that the producer did not accept. */
  void failed(int points) {
    failedPoints.add(points);
  }

  /** Keeps the first failure. */
  void note(Exception why) {
    if (firstFailure.isEmpty()) {
      firstFailure = why.getClass().getSimpleName() + ": " + why.getMessage();
    }
  }

  /** Points. */
  long acked() {
    return ackedPoints.sum();
  }

  /** Points. */
  long failed() {
    return failedPoints.sum();
  }

  /** Records that are acknowledged or have finally failed. */
  long settledRecords() {
    return settled.sum();
  }

  /** The first failure; empty if there was none. */
  String firstFailure() {
    return firstFailure;
  }

  /** A percentile, 0..100, of the time from send to acknowledgement, ms. */
  double percentileMs(double percentile) {
    return micros.getValueAtPercentile(percentile) / 1000.0;
  }

  private final class Ack implements Callback {
    private final int points;
    private final long nanos;

    Ack(int points, long nanos) {
      this.points = points;
      this.nanos = nanos;
    }

    @Override
    public void onCompletion(RecordMetadata metadata, Exception why) {
      if (why == null) {
        micros.recordValue(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - nanos));
        ackedPoints.add(points);
      } else {
        failedPoints.add(points);
        note(why);
      }
      settled.increment();
    }
  }
}
