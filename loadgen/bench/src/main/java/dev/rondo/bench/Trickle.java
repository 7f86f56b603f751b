package dev.rondo.bench;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;

/** Sends twenty points per second, one series after the other, until closed. */
final class Trickle implements AutoCloseable {
  private static final Duration EVERY = Duration.ofMillis(50);

  private final Series series;
  private final Producer<byte[], byte[]> producer;
  private final ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor();
  private final Map<TopicPartition, Long> firstOffsets = new ConcurrentHashMap<>();
  private int next;

  private Trickle(Series series, Producer<byte[], byte[]> producer) {
    this.series = series;
    this.producer = producer;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a failure is visible: no offset is committed
  static Trickle start(Series series, Producer<byte[], byte[]> producer) {
    Trickle trickle = new Trickle(series, producer);
    trickle.sender.scheduleAtFixedRate(trickle::send, 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
    return trickle;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // as above
  private void send() {
    int from = next % series.count();
    next += Series.POINTS_PER_RECORD; // the next record is for the next partition
    producer.send(
        series.record(from, from + 1, System.currentTimeMillis()),
        (record, failure) -> {
          if (failure == null) {
            TopicPartition partition = new TopicPartition(record.topic(), record.partition());
            firstOffsets.putIfAbsent(partition, record.offset());
          }
        });
  }

  /** Resets {@link #firstOffsets}. */
  void mark() {
    firstOffsets.clear();
  }

  /** Offset of the first point since {@link #mark}, by partition. */
  Map<TopicPartition, Long> firstOffsets() {
    return firstOffsets;
  }

  @Override
  public void close() {
    sender.shutdownNow();
    producer.close();
  }
}
