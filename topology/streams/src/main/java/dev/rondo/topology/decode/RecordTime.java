package dev.rondo.topology.decode;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * Time of a source record: its Kafka timestamp, or the wall clock if it has none. Points without a
 * time take it; the times of other points are validated against it.
 *
 * <p>Kafka Streams commits the newest timestamp of each partition with its offset. A {@link
 * RecordBatch} receives it, so that a new task resumes the stream time of the partition.
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

  /** Returns the time, epoch ms, of a record read at {@code nowMs}. */
  public static long of(ConsumerRecord<?, ?> record, long nowMs) {
    return record.timestamp() < 0 ? nowMs : record.timestamp();
  }
}
