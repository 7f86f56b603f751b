package dev.rondo.bench;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Series with names of about 45 bytes, and their points: a hundred per record, as from a collector,
 * each series always in the same source partition.
 *
 * @param count number of series
 * @param partitions of the topic {@code points}
 */
record Series(int count, int partitions) {
  static final int POINTS_PER_RECORD = 100;
  static final long STEP_MS = 10_000;

  /** Such as {@code shop.prod.rack07.web0123.cpu.core05.usage.p99}. */
  static String name(int series) {
    int host = series / POINTS_PER_RECORD;
    int metric = series % POINTS_PER_RECORD;
    return "shop.prod.rack%02d.web%05d.cpu.core%02d.usage.mean".formatted(host % 97, host, metric);
  }

  /**
   * Sends one point per series, spread evenly over {@code spreadMs}, and waits for all
   * acknowledgements.
   *
   * @param tMs time of the points, epoch ms
   * @param sent receives the number of sent points periodically
   */
  void sendRound(Producer<byte[], byte[]> producer, long tMs, long spreadMs, IntConsumer sent)
      throws ExecutionException, InterruptedException {
    List<Future<RecordMetadata>> results = new ArrayList<>();
    long began = System.nanoTime();
    for (int from = 0; from < count; from += POINTS_PER_RECORD) {
      int to = Math.min(count, from + POINTS_PER_RECORD);
      LockSupport.parkNanos(began + dueNanos(from, spreadMs) - System.nanoTime());
      results.add(producer.send(record(from, to, tMs)));
      sent.accept(to);
    }
    for (Future<RecordMetadata> result : results) {
      result.get();
    }
  }

  private long dueNanos(int series, long spreadMs) {
    return TimeUnit.MILLISECONDS.toNanos(spreadMs) / count * series;
  }

  /** Points of the series from {@code from} to before {@code to}, epoch ms. */
  ProducerRecord<byte[], byte[]> record(int from, int to, long tMs) {
    StringBuilder lines = new StringBuilder();
    for (int series = from; series < to; series++) {
      lines.append(name(series)).append(' ').append(series % 1000 + tMs % 777 / 7.0);
      lines.append(' ').append(tMs / 1000).append('\n');
    }
    int partition = from / POINTS_PER_RECORD % partitions;
    return new ProducerRecord<>(
        "points", partition, null, lines.toString().getBytes(StandardCharsets.UTF_8));
  }
}
