package dev.rondo.topology.topics;

import dev.rondo.schemas.Replay;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Number of replays of an application, stored in {@code rondo.replays}. State with a lower epoch
 * was written before the last replay.
 */
public final class ReplayEpoch {
  private ReplayEpoch() {}

  /**
   * Reads the epoch of {@code application.id}; 0 before its first replay.
   *
   * @throws IllegalStateException if {@code rondo.replays} does not exist
   * @throws TimeoutException if it cannot be read to its end within a minute
   */
  public static int read(TopologyConfig config) throws InterruptedException {
    String applicationId = config.getString("application.id");
    AtomicInteger epoch = new AtomicInteger();
    TopicReader.read(
        config,
        config.topic(Topics.REPLAYS),
        (id, replay) -> {
          if (replay != null && applicationId.equals(id)) {
            epoch.accumulateAndGet(replay.getEpoch(), Math::max);
          }
        });
    return epoch.get();
  }

  /**
   * Records {@code replay} as the last one of the application; returns once Kafka has stored it.
   */
  public static void write(TopologyConfig config, Replay replay)
      throws ExecutionException, InterruptedException {
    try (Producer<String, Replay> producer =
        new KafkaProducer<>(
            config.writer(),
            Topics.REPLAYS.keySerde().serializer(),
            Topics.REPLAYS.valueSerde().serializer())) {
      producer
          .send(
              new ProducerRecord<>(
                  config.topic(Topics.REPLAYS).name(), config.getString("application.id"), replay))
          .get();
    }
  }
}
