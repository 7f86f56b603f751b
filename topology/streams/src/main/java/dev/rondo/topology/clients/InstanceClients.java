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
 * Supplies the Kafka clients of one Kafka Streams instance. Its transactional ids are the same at
 * every start. Streams itself generates new ids when state is in memory; then the open transaction
 * of a crashed instance would block readers until it times out. With the same id the broker aborts
 * it at once.
 *
 * @param instance name of this instance, unique and the same at every start
 * @param rules which topics points are read from
 * @param merged the source partitions that are merged
 * @param progress receives how far the consumers have read
 * @param discovery of the source partitions: a commit fails once a source has changed
 * @param members of the consumer group
 * @param logs of the topics that are read
 * @param own topics that are read besides the sources: by-series and the deletions
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

  /** The number of the stream thread, with which a transactional id of Streams ends. */
  private static String thread(String transactionalId) {
    return transactionalId.substring(transactionalId.lastIndexOf('-') + 1);
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return new SourceConsumer(config, rules, merged, progress, discovery, members, logs, own);
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
