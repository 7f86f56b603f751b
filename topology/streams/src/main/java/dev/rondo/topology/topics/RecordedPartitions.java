package dev.rondo.topology.topics;

import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigException;

/**
 * How many partitions those topics had whose order depends on it, when the application met them
 * first: {@code rondo.*}, and keyed sources. Kept in {@code rondo.partitions}. Safe to share
 * between threads.
 */
public final class RecordedPartitions {
  private final TopologyConfig config;
  private final Map<String, Integer> recorded = new ConcurrentHashMap<>();

  private RecordedPartitions(TopologyConfig config) {
    this.config = config;
  }

  /** As they are recorded. */
  public static RecordedPartitions read(TopologyConfig config) throws InterruptedException {
    RecordedPartitions partitions = new RecordedPartitions(config);
    String own = partitions.key("");
    WholeTopic.read(
        config,
        Topics.PARTITIONS,
        (key, count) -> {
          if (key.startsWith(own)) {
            partitions.recorded.put(key.substring(own.length()), count);
          }
        });
    return partitions;
  }

  private String key(String topic) {
    return config.getString("application.id") + ":" + topic;
  }

  /**
   * Records what is new.
   *
   * @param now the partitions of topics
   * @throws ConfigException where a topic had another number of them
   */
  public void check(Map<String, Integer> now) throws ExecutionException, InterruptedException {
    Set<String> accepted = Set.copyOf(config.getList("partitions.accepted"));
    for (Map.Entry<String, Integer> topic : now.entrySet()) {
      Integer before = recorded.get(topic.getKey());
      if (topic.getValue().equals(before)) {
        continue;
      }
      if (before != null && !accepted.contains(topic.getKey())) {
        throw new ConfigException(
            ("topic '%s' has %d partitions and had %d: its series would move to other partitions,"
                    + " or their rows overtake each other; use a topic of %d, or accept it"
                    + " (partitions.accepted)")
                .formatted(topic.getKey(), topic.getValue(), before, before));
      }
      record(topic.getKey(), topic.getValue());
    }
  }

  private void record(String topic, int count) throws ExecutionException, InterruptedException {
    try (Producer<String, Integer> producer =
        new KafkaProducer<>(
            config.writer(),
            Topics.PARTITIONS.keySerde().serializer(),
            Topics.PARTITIONS.valueSerde().serializer())) {
      producer.send(new ProducerRecord<>(Topics.PARTITIONS.name(), key(topic), count)).get();
    }
    recorded.put(topic, count);
  }
}
