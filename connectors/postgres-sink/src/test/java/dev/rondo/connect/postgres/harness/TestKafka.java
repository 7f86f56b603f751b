package dev.rondo.connect.postgres.harness;

import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.NewTopics;
import dev.rondo.schemas.Topic;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Topics of one test class on the broker that all tests share. */
public final class TestKafka {
  /** That of this JVM. */
  private static KafkaProducer<byte[], byte[]> producer;

  private final KafkaSpace space = TestBed.kafka();

  /** A topic, group or connector that no other test class has. */
  public String name(String name) {
    return space.topic(name);
  }

  public String bootstrap() {
    return space.bootstrap();
  }

  public void createTopics(int partitions, String... names) throws Exception {
    try (Admin admin = Admin.create(space.client())) {
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
    var sent =
        entries.stream()
            .map(
                entry ->
                    producer()
                        .send(
                            new ProducerRecord<>(
                                topic,
                                keys.serializer().serialize(topic, entry.key()),
                                values.serializer().serialize(topic, entry.value()))))
            .toList();
    try {
      for (var record : sent) {
        record.get();
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns when the broker has the record. */
  public void produce(ProducerRecord<byte[], byte[]> record) {
    try {
      producer().send(record).get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  /** Records in the only partition of {@code topic}. */
  public long records(String topic) throws Exception {
    var partition = new TopicPartition(topic, 0);
    try (Admin admin = Admin.create(space.client())) {
      return admin
          .listOffsets(Map.of(partition, OffsetSpec.latest()))
          .partitionResult(partition)
          .get()
          .offset();
    }
  }

  /** Sum of the end offsets of all partitions of {@code topic}. */
  public long end(String topic) throws Exception {
    try (Admin admin = Admin.create(space.client())) {
      var partitions =
          admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions();
      var latest =
          partitions.stream()
              .collect(
                  Collectors.toMap(
                      each -> new TopicPartition(topic, each.partition()),
                      each -> OffsetSpec.latest()));
      return admin.listOffsets(latest).all().get().values().stream()
          .mapToLong(ListOffsetsResultInfo::offset)
          .sum();
    }
  }

  /** Whether so many members of {@code group} share the partitions that they read. */
  public boolean areShared(String group, int members) throws Exception {
    try (Admin admin = Admin.create(space.client())) {
      var found = admin.describeConsumerGroups(List.of(group)).all().get().get(group).members();
      return found.size() == members
          && found.stream().noneMatch(each -> each.assignment().topicPartitions().isEmpty());
    }
  }

  /** Sum of the offsets that {@code group} has committed. */
  public long committed(String group) throws Exception {
    try (Admin admin = Admin.create(space.client())) {
      return admin
          .listConsumerGroupOffsets(group)
          .partitionsToOffsetAndMetadata()
          .get()
          .values()
          .stream()
          .filter(Objects::nonNull)
          .mapToLong(OffsetAndMetadata::offset)
          .sum();
    }
  }

  /** Deletes a topic; returns when it is gone. */
  public void deleteTopic(String topic) throws Exception {
    try (Admin admin = Admin.create(space.client())) {
      admin.deleteTopics(List.of(topic)).all().get();
      await("the topic is gone")
          .atMost(TestWorker.BOUND)
          .until(() -> !admin.listTopics().names().get().contains(topic));
    }
  }

  /** Deletes the first records of the only partition of {@code topic}, as its retention does. */
  public void deleteBefore(String topic, long offset) throws Exception {
    var partition = new TopicPartition(topic, 0);
    try (Admin admin = Admin.create(space.client())) {
      admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(offset))).all().get();
    }
  }

  /** Values of all records of a topic, as text. */
  public List<String> values(String topic) {
    var values = new ArrayList<String>();
    try (var consumer =
        new KafkaConsumer<>(space.client(), new StringDeserializer(), new StringDeserializer())) {
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

  private static synchronized KafkaProducer<byte[], byte[]> producer() {
    if (producer == null) {
      var bytes = new ByteArraySerializer();
      producer =
          new KafkaProducer<>(Map.of("bootstrap.servers", TestBed.bootstrap()), bytes, bytes);
    }
    return producer;
  }

  /** Key and value of a record; either may be null. */
  public record Entry<K, V>(K key, V value) {}
}
