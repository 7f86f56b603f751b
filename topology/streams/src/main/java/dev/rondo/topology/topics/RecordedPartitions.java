package dev.rondo.topology.topics;

import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.config.ConfigException;

/**
 * Partition counts at the time when the application first saw a topic, for topics whose order
 * depends on the count: {@code rondo.*} and keyed sources. Stored in {@code rondo.partitions}. Safe
 * to share between threads.
 */
public final class RecordedPartitions {
  private final TopologyConfig config;
  private final Map<String, Integer> recorded = new ConcurrentHashMap<>();

  private RecordedPartitions(TopologyConfig config) {
    this.config = config;
  }

  /** Reads the recorded counts. */
  public static RecordedPartitions read(TopologyConfig config) throws InterruptedException {
    RecordedPartitions partitions = new RecordedPartitions(config);
    String prefix = partitions.key("");
    TopicReader.read(
        config,
        config.topic(Topics.PARTITIONS),
        (key, count) -> {
          if (count != null && key.startsWith(prefix)) {
            partitions.recorded.put(key.substring(prefix.length()), count);
          }
        });
    return partitions;
  }

  private String key(String topic) {
    return config.getString("application.id") + ":" + topic;
  }

  /**
   * Compares partition counts with the recorded ones and records new topics.
   *
   * @param now partition counts by topic
   * @throws ConfigException if a topic had another count, unless it is accepted
   */
  public void check(Map<String, Integer> now) throws ExecutionException, InterruptedException {
    Set<String> accepted = Set.copyOf(config.getList("partitions.accepted"));
    Map<String, Integer> changed = new TreeMap<>(now);
    changed.entrySet().removeAll(recorded.entrySet());
    for (Map.Entry<String, Integer> topic : changed.entrySet()) {
      Integer before = recorded.get(topic.getKey());
      if (before != null && !accepted.contains(topic.getKey())) {
        throw new ConfigException(
            ("topic '%s' has %d partitions and had %d: its series would move to other partitions,"
                    + " or their rows would get out of order; use a topic with %d partitions, or"
                    + " accept the change (partitions.accepted)")
                .formatted(topic.getKey(), topic.getValue(), before, before));
      }
    }
    if (!changed.isEmpty()) {
      record(changed);
    }
  }

  private void record(Map<String, Integer> counts) throws ExecutionException, InterruptedException {
    String name = config.topic(Topics.PARTITIONS).name();
    try (Producer<String, Integer> producer =
        new KafkaProducer<>(
            config.writer(),
            Topics.PARTITIONS.keySerde().serializer(),
            Topics.PARTITIONS.valueSerde().serializer())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      counts.forEach(
          (topic, count) -> sent.add(producer.send(new ProducerRecord<>(name, key(topic), count))));
      for (Future<RecordMetadata> each : sent) {
        each.get();
      }
    }
    recorded.putAll(counts);
  }
}
