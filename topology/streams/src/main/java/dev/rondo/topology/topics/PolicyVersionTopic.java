package dev.rondo.topology.topics;

import dev.rondo.schemas.PolicyVersion;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;

/** Reads and writes the versions of an application's policies in {@code rondo.policies}. */
public final class PolicyVersionTopic {
  /** A writer takes less unless it fails. */
  private static final Duration LONGEST_WRITE = Duration.ofSeconds(5);

  private PolicyVersionTopic() {}

  /**
   * Reads all versions, by ascending number.
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

  /**
   * Writes a version unless its number is taken. Of concurrent writers the first wins: each fences
   * out the others, then reads what they have written. Returns once the version can be read, a
   * little after its commit.
   *
   * @return the version with the number; another one if it was taken
   */
  public static PolicyVersion write(TopologyConfig config, PolicyVersion version)
      throws InterruptedException {
    while (true) {
      try (Producer<String, PolicyVersion> producer = writer(config)) {
        producer.initTransactions();
        Optional<PolicyVersion> taken = taken(config, version.getNumber());
        if (taken.isPresent()) {
          return taken.get();
        }
        producer.beginTransaction();
        String key = prefix(config) + version.getNumber();
        String topic = config.topic(Topics.POLICIES).name();
        var unused =
            producer.send(new ProducerRecord<>(topic, key, version)); // fails with the commit
        producer.commitTransaction();
      } catch (KafkaException e) {
        if (!isFenced(e) && !isFenced(e.getCause())) {
          throw e;
        }
      }
      Optional<PolicyVersion> written = await(config, version.getNumber());
      if (written.isPresent()) {
        return written.get();
      }
    }
  }

  private static Producer<String, PolicyVersion> writer(TopologyConfig config) {
    Map<String, Object> properties = new HashMap<>(config.writer());
    properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, config.policiesTransactionalId());
    return new KafkaProducer<>(
        properties,
        Topics.POLICIES.keySerde().serializer(),
        Topics.POLICIES.valueSerde().serializer());
  }

  /**
   * Whether another writer has fenced this one out. While brokers abort its transaction, the state
   * is invalid.
   */
  private static boolean isFenced(Throwable failure) {
    return failure instanceof ProducerFencedException
        || failure instanceof InvalidProducerEpochException
        || failure instanceof InvalidTxnStateException;
  }

  private static Optional<PolicyVersion> taken(TopologyConfig config, int number)
      throws InterruptedException {
    return read(config).stream().filter(each -> each.getNumber() == number).findFirst();
  }

  /** Waits for the version of this or a fencing writer; empty if that writer failed. */
  private static Optional<PolicyVersion> await(TopologyConfig config, int number)
      throws InterruptedException {
    long deadline = System.nanoTime() + LONGEST_WRITE.toNanos();
    Optional<PolicyVersion> taken = taken(config, number);
    while (taken.isEmpty() && System.nanoTime() < deadline) {
      taken = taken(config, number);
    }
    return taken;
  }

  static String prefix(TopologyConfig config) {
    return config.getString("application.id") + ":";
  }
}
