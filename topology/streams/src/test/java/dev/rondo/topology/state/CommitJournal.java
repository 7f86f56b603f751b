package dev.rondo.topology.state;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * Kafka clients that record the order in which Kafka Streams writes the changelog of a {@link
 * SeenStore} and commits the offsets of its source.
 */
final class CommitJournal implements KafkaClientSupplier {
  /**
   * A commit of one source partition.
   *
   * @param offset committed offset
   * @param inChangelog offset in the changelog of the store at that time
   */
  record Commit(int partition, long offset, long inChangelog) {}

  private final List<Commit> commits = new CopyOnWriteArrayList<>();
  private final Map<Integer, Long> inChangelog = new ConcurrentHashMap<>();

  List<Commit> commits() {
    return commits;
  }

  /** The newest offset committed, over all partitions together. */
  long committed() {
    Map<Integer, Long> newest = new ConcurrentHashMap<>();
    commits.forEach(commit -> newest.put(commit.partition(), commit.offset()));
    return newest.values().stream().mapToLong(Long::longValue).sum();
  }

  private void commit(Map<TopicPartition, OffsetAndMetadata> offsets) {
    offsets.forEach(
        (source, offset) ->
            commits.add(
                new Commit(
                    source.partition(),
                    offset.offset(),
                    inChangelog.getOrDefault(source.partition(), 0L))));
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return new JournalProducer(config);
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return new JournalConsumer(config);
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return getRestoreConsumer(config);
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  /** With exactly-once the offsets go with the transaction, whose end waits for all its records. */
  private final class JournalProducer extends KafkaProducer<byte[], byte[]> {
    private Map<TopicPartition, OffsetAndMetadata> inTransaction = Map.of();

    JournalProducer(Map<String, Object> config) {
      super(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
      return super.send(
          record,
          (metadata, failure) -> {
            if (failure == null && record.topic().endsWith("-" + SeenStore.NAME + "-changelog")) {
              inChangelog.put(metadata.partition(), SeenStore.read(record.value()));
            }
            callback.onCompletion(metadata, failure);
          });
    }

    @Override
    public void sendOffsetsToTransaction(
        Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
      super.sendOffsetsToTransaction(offsets, group);
      inTransaction = offsets;
    }

    @Override
    public void commitTransaction() {
      super.commitTransaction();
      commit(inTransaction);
    }
  }

  /** With at-least-once the consumer commits the offsets. */
  private final class JournalConsumer extends KafkaConsumer<byte[], byte[]> {
    JournalConsumer(Map<String, Object> config) {
      super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets) {
      commit(offsets);
      super.commitSync(offsets);
    }
  }
}
