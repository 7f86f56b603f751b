package dev.rondo.topology.decode;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * The time of a source record: its Kafka timestamp, so that a replay sees the same, or the clock
 * where it has none.
 *
 * <p>Kafka Streams commits the newest one of each partition with the offset. Records that come as
 * one are told which it was before them: a task that continues a partition continues its front.
 */
public final class RecordTime implements TimestampExtractor {
  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
    RecordBatch together = RecordBatch.of(record.headers());
    if (together != null) {
      together.follow(partitionTime);
    }
    return of(record, System.currentTimeMillis());
  }

  /** Of a record that is read at {@code nowMs}, epoch ms. */
  public static long of(ConsumerRecord<?, ?> record, long nowMs) {
    return record.timestamp() < 0 ? nowMs : record.timestamp();
  }

  /** The same, but not after {@code nowMs}: what a point without a time gets, epoch ms. */
  public static long untilNow(ConsumerRecord<?, ?> record, long nowMs) {
    return Math.min(of(record, nowMs), nowMs);
  }
}
