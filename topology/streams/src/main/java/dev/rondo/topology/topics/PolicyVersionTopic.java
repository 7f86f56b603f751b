package dev.rondo.topology.topics;

import dev.rondo.schemas.PolicyVersion;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;

/** The versions of an application's policies, stored in {@code rondo.policies}. */
public final class PolicyVersionTopic {
  private PolicyVersionTopic() {}

  /**
   * All versions, by ascending number.
   *
   * @throws IllegalStateException if {@code rondo.policies} does not exist
   * @throws TimeoutException if it cannot be read to its end within a minute
   */
  public static List<PolicyVersion> read(TopologyConfig config) throws InterruptedException {
    var versions = new TreeMap<Integer, PolicyVersion>();
    String prefix = prefix(config);
    TopicReader.read(
        config,
        config.topic(Topics.POLICIES),
        (key, version) -> {
          if (version != null && key.startsWith(prefix)) {
            versions.put(version.getNumber(), version);
          }
        });
    return List.copyOf(versions.values());
  }

  /** Writes a version; returns when Kafka has stored it. */
  public static void write(TopologyConfig config, PolicyVersion version)
      throws ExecutionException, InterruptedException {
    try (Producer<String, PolicyVersion> producer =
        new KafkaProducer<>(
            config.writer(),
            Topics.POLICIES.keySerde().serializer(),
            Topics.POLICIES.valueSerde().serializer())) {
      String key = prefix(config) + version.getNumber();
      producer.send(new ProducerRecord<>(config.topic(Topics.POLICIES).name(), key, version)).get();
    }
  }

  static String prefix(TopologyConfig config) {
    return config.getString("application.id") + ":";
  }
}
