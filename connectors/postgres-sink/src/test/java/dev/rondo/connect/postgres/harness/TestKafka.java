package dev.rondo.connect.postgres.harness;

import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.NewTopics;
import dev.rondo.schemas.Topic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * A real broker, shared by all tests of this JVM, which use separate topics. It ends with the JVM.
 */
public final class TestKafka {
  private static TestKafka shared;

  private final KafkaBroker broker;

  private TestKafka(KafkaBroker broker) {
    this.broker = broker;
  }

  public static synchronized TestKafka shared() {
    if (shared == null) {
      shared = new TestKafka(KafkaBroker.start(newFolder("kafka-"), 0));
    }
    return shared;
  }

  public String bootstrap() {
    return broker.bootstrap();
  }

  public void createTopics(int partitions, String... names) throws Exception {
    try (Admin admin = Admin.create(config())) {
      NewTopics.create(
          admin,
          Arrays.stream(names).map(name -> new NewTopic(name, partitions, (short) 1)).toList());
    }
  }

  /** Returns when the broker has the record. */
  public <K, V> void produce(Topic<K, V> topic, K key, V value) {
    produce(topic.name(), topic.keySerde(), topic.valueSerde(), List.of(new Entry<>(key, value)));
  }

  /** Produces {@code entries} in order; returns when the broker has them. */
  public <K, V> void produce(
      String topic, Serde<K> keys, Serde<V> values, List<Entry<K, V>> entries) {
    try (var producer = new KafkaProducer<>(config(), keys.serializer(), values.serializer())) {
      var sent =
          entries.stream()
              .map(entry -> producer.send(new ProducerRecord<>(topic, entry.key(), entry.value())))
              .toList();
      for (var record : sent) {
        record.get();
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  /** Records in the only partition of {@code topic}. */
  public long records(String topic) throws Exception {
    var partition = new TopicPartition(topic, 0);
    try (Admin admin = Admin.create(config())) {
      return admin
          .listOffsets(Map.of(partition, OffsetSpec.latest()))
          .partitionResult(partition)
          .get()
          .offset();
    }
  }

  /** Values of all records of a topic, as text. */
  public List<String> values(String topic) {
    var values = new ArrayList<String>();
    try (var consumer =
        new KafkaConsumer<>(config(), new StringDeserializer(), new StringDeserializer())) {
      var partitions =
          consumer.partitionsFor(topic).stream()
              .map(each -> new TopicPartition(topic, each.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
        consumer.poll(Duration.ofSeconds(1)).forEach(record -> values.add(record.value()));
      }
    }
    return values;
  }

  /** A new folder below target. */
  public static Path newFolder(String prefix) {
    try {
      Path parent = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
      return Files.createTempDirectory(parent, prefix);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, Object> config() {
    return Map.of("bootstrap.servers", broker.bootstrap());
  }

  /** Key and value of a record; either may be null. */
  public record Entry<K, V>(K key, V value) {}
}
