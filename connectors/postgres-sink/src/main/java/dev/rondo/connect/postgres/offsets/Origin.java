package dev.rondo.connect.postgres.offsets;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;

/** Partition and offset of a record in Kafka, before transformations renamed its topic. */
final class Origin {
  private Origin() {}

  static TopicPartition partition(SinkRecord record) {
    try {
      return new TopicPartition(record.originalTopic(), record.originalKafkaPartition());
    } catch (NoSuchMethodError e) { // Connect before 3.6
      return new TopicPartition(record.topic(), record.kafkaPartition());
    }
  }

  static long offset(SinkRecord record) {
    try {
      return record.originalKafkaOffset();
    } catch (NoSuchMethodError e) {
      return record.kafkaOffset();
    }
  }
}
