package dev.rondo.topology.clients;

import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.order.SourceProgress;
import dev.rondo.topology.source.SourceRules;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * Supplies the Kafka clients of an instance. Its transactional ids are the same at every start, so
 * that the broker aborts the open transaction of a crashed instance at once. Streams would generate
 * new ids for in-memory state, and the transaction would block readers until it times out.
 *
 * @param instance name of this instance, unique and the same at every start
 * @param rules which topics are sources
 * @param merged merged source partitions
 * @param progress receives how far the consumers have read
 * @param discovery decides which sources are read and when to rebalance; a commit fails once a
 *     source has changed
 * @param members members of the consumer group; fails a member that another process has replaced
 * @param logs logs of the partitions that are read
 * @param own topics to read besides the sources: by-series and series requests
 */
public record InstanceClients(
    String instance,
    SourceRules rules,
    MergedPartitions merged,
    SourceProgress progress,
    PartitionDiscovery discovery,
    StaticMembers members,
    SourceLogs logs,
    Set<String> own)
    implements KafkaClientSupplier {
  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    Map<String, Object> properties = new HashMap<>(config);
    properties.computeIfPresent(
        ProducerConfig.TRANSACTIONAL_ID_CONFIG, (key, id) -> instance + "-" + thread((String) id));
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer()) {
      @Override
      public void sendOffsetsToTransaction(
          Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
        super.sendOffsetsToTransaction(discovery.committable(offsets), group);
      }
    };
  }

  /** Returns the number of the stream thread, which ends a transactional id of Streams. */
  private static String thread(String transactionalId) {
    return transactionalId.substring(transactionalId.lastIndexOf('-') + 1);
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return new SourceConsumer(config, this);
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return getRestoreConsumer(config);
  }
}
