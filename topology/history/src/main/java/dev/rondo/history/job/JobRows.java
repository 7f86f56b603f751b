package dev.rondo.history.job;

import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.BundleRowKey;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Reads the rows that the topologies of a job have committed. */
final class JobRows implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final int MOST_RECORDS = 2_000;

  private final Consumer<BundleRowKey, BundleRow> consumer;
  private final List<TopicPartition> partitions;

  /** Begins with the first row. */
  JobRows(TopologyConfig config) {
    Map<String, Object> properties = new HashMap<>(config.reader());
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MOST_RECORDS);
    consumer =
        new KafkaConsumer<>(
            properties,
            Topics.BUNDLE_ROWS.keySerde().deserializer(),
            Topics.BUNDLE_ROWS.valueSerde().deserializer());
    partitions =
        consumer.partitionsFor(config.topic(Topics.BUNDLE_ROWS).name()).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    rewind();
  }

  /** The next rows; waits for some for a moment. */
  List<BundleRow> next() {
    var rows = new ArrayList<BundleRow>();
    for (ConsumerRecord<BundleRowKey, BundleRow> record : consumer.poll(POLL)) {
      if (record.value() != null) {
        rows.add(record.value());
      }
    }
    return rows;
  }

  /** Where the rows end now. */
  Map<TopicPartition, Long> ends() {
    return consumer.endOffsets(partitions);
  }

  /** Whether the rows up to these offsets were returned. */
  boolean isAt(Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  /** Begins again with the first row. */
  void rewind() {
    consumer.seekToBeginning(partitions);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
