package dev.rondo.topology.decode;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * The time of a source record: its Kafka timestamp, whenever it is read, or the wall clock if it
 * has none. Points without a time take it, and the verdict on others is by it.
 *
 * <p>Kafka Streams commits the newest timestamp of each partition with the offset. A {@link
 * RecordBatch} takes it from there, so that a task that continues a partition continues its stream
 * time.
 */
public final class RecordTime implements TimestampExtractor {
  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
    RecordBatch batch = RecordBatch.of(record.headers());
    if (batch != null) {
      batch.setStreamTimeBefore(partitionTime);
    }
    return of(record, System.currentTimeMillis());
  }

  /** The time, epoch ms, of a record that is read at {@code nowMs}. */
  public static long of(ConsumerRecord<?, ?> record, long nowMs) {
    return record.timestamp() < 0 ? nowMs : record.timestamp();
  }
}
