package dev.rondo.bench;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.Bytes;

/**
 * Size of a changelog topic.
 *
 * @param topic name
 * @param diskBytes size on the broker's disk, compressed
 * @param records records that a restore reads
 * @param bytes their keys and values
 * @param liveRecords newest records per key
 * @param liveBytes their keys and values
 */
record Changelog(
    String topic, long diskBytes, long records, long bytes, long liveRecords, long liveBytes) {
  private static final Duration POLL = Duration.ofMillis(200);

  /** Reads a whole topic, which must not change meanwhile. */
  static Changelog read(Stage stage, String topic) throws ExecutionException, InterruptedException {
    long records = 0;
    long bytes = 0;
    Map<Map.Entry<Integer, Bytes>, Integer> live = new HashMap<>();
    try (Consumer<byte[], byte[]> consumer = consumer(stage)) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          int size = Math.max(0, record.serializedKeySize());
          size += Math.max(0, record.serializedValueSize());
          records++;
          bytes += size;
          var key = Map.entry(record.partition(), Bytes.wrap(record.key()));
          if (record.value() == null) {
            live.remove(key);
          } else {
            live.put(key, size);
          }
        }
      }
    }
    long liveBytes = live.values().stream().mapToLong(Integer::longValue).sum();
    return new Changelog(topic, diskBytes(stage, topic), records, bytes, live.size(), liveBytes);
  }

  private static Consumer<byte[], byte[]> consumer(Stage stage) {
    return new KafkaConsumer<>(
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            stage.bootstrap(),
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            "read_committed"),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  private static long diskBytes(Stage stage, String topic)
      throws ExecutionException, InterruptedException {
    try (Admin admin = stage.admin()) {
      return admin.describeLogDirs(List.of(1)).allDescriptions().get().values().stream()
          .flatMap(dirs -> dirs.values().stream())
          .flatMap(dir -> dir.replicaInfos().entrySet().stream())
          .filter(replica -> replica.getKey().topic().equals(topic))
          .mapToLong(replica -> replica.getValue().size())
          .sum();
    }
  }
}
