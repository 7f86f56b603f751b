package dev.rondo.loadgen.send;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Counts what the brokers have acknowledged, and how long that took. Handing over is for one
 * thread.
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
   * To be told of a record that is handed over now. Records of one moment share it: by the million,
   * callbacks of their own would cost the producer more than anything else here.
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

  /** Points that could not even be handed over. */
  void failed(int points) {
    failedPoints.add(points);
  }

  /** Why something failed; the first is kept. */
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

  /** Records that are acknowledged, or have failed for good. */
  long settledRecords() {
    return settled.sum();
  }

  /** Why something failed first; empty where nothing did. */
  String firstFailure() {
    return firstFailure;
  }

  /** From handing over to acknowledgement, a share 0..100 of the records took up to so long, ms. */
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
    public void onCompletion(RecordMetadata place, Exception why) {
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
