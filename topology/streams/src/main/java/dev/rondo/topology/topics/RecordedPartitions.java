package dev.rondo.topology.topics;

import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
 * Partition counts of topics when the application first saw them, for topics whose order depends on
 * the count: {@code rondo.*} and keyed sources. Stored in {@code rondo.partitions}. Safe to share
 * between threads.
 */
public final class RecordedPartitions {
  private final TopologyConfig config;
  private final Map<String, Integer> recorded = new ConcurrentHashMap<>();

  private RecordedPartitions(TopologyConfig config) {
    this.config = config;
  }

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
   * @throws ConfigException if a topic had another count and the change is not accepted
   */
  public void check(Map<String, Integer> now) throws ExecutionException, InterruptedException {
    new TreeMap<>(now)
        .forEach(
            (topic, count) ->
                unaccepted(topic, count)
                    .ifPresent(
                        before -> {
                          throw new ConfigException(
                              ("topic '%s' has %d partitions and had %d: its rows would get out of"
                                      + " order; use a topic with %d partitions, or accept the change"
                                      + " (partitions.accepted)")
                                  .formatted(topic, count, before, before));
                        }));
    record(now);
  }

  /** Returns the recorded count of a topic if it differs and the change is not accepted. */
  public Optional<Integer> unaccepted(String topic, int count) {
    return Optional.ofNullable(recorded.get(topic))
        .filter(before -> before != count)
        .filter(before -> !config.getList("partitions.accepted").contains(topic));
  }

  /** Records the counts that differ from the recorded ones. */
  public void record(Map<String, Integer> now) throws ExecutionException, InterruptedException {
    Map<String, Integer> counts = new TreeMap<>(now);
    counts.entrySet().removeAll(recorded.entrySet());
    if (counts.isEmpty()) {
      return;
    }
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
