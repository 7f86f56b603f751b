package dev.rondo.topology;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * When a source record was written: its Kafka timestamp, so that a replay sees the same, or the
 * clock where it has none or one that is still to come.
 */
public final class RecordTime implements TimestampExtractor {
  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
    return of(record, System.currentTimeMillis());
  }

  /** Of a record that is read at {@code nowMs}, epoch ms. */
  public static long of(ConsumerRecord<?, ?> record, long nowMs) {
    return record.timestamp() < 0 ? nowMs : Math.min(record.timestamp(), nowMs);
  }
}
