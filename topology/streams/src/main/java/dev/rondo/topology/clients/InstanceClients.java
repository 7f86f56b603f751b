package dev.rondo.topology.clients;

import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.order.SourceProgress;
import dev.rondo.topology.source.SourceRules;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * The clients of one instance of Kafka Streams. Its transactional ids are the same at every start:
 * Streams itself makes new ones where state is in memory, and after a crash the transaction that
 * was open would hide all that comes behind it until it times out; with the id of before it is
 * ended at once.
 *
 * @param instance unique to this instance, the same at every start
 * @param rules which topics points are read from
 * @param merged the source partitions that are merged
 * @param progress where the consumers emit how far they are
 * @param listing of the source partitions: nothing is committed once a keyed source has grown
 */
public record InstanceClients(
    String instance,
    SourceRules rules,
    MergedPartitions merged,
    SourceProgress progress,
    SourceListing listing)
    implements KafkaClientSupplier {
  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    Map<String, Object> own = new HashMap<>(config);
    own.computeIfPresent(
        ProducerConfig.TRANSACTIONAL_ID_CONFIG, (key, id) -> instance + "-" + thread((String) id));
    return new KafkaProducer<>(own, new ByteArraySerializer(), new ByteArraySerializer()) {
      @Override
      public void commitTransaction() {
        if (rules.haveKeyed(true)) {
          listing.refuseGrownNow();
        }
        super.commitTransaction();
      }
    };
  }

  /** The number of the stream thread, which is what an id of Streams ends with. */
  private static String thread(String transactionalId) {
    return transactionalId.substring(transactionalId.lastIndexOf('-') + 1);
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return new SourceConsumer(
        config, topic -> rules.of(topic).isPresent(), merged, progress, listing);
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
