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
 * How many replays an application has had, as {@code rondo.replays} tells. State that was written
 * under a lower epoch is of before the last replay.
 */
public final class ReplayEpoch {
  private ReplayEpoch() {}

  /**
   * The epoch of {@code application.id}; 0 before its first replay.
   *
   * @throws IllegalStateException where {@code rondo.replays} does not exist
   * @throws TimeoutException where it cannot be read to its end within a minute
   */
  public static int read(TopologyConfig config) throws InterruptedException {
    String applicationId = config.getString("application.id");
    AtomicInteger epoch = new AtomicInteger();
    WholeTopic.read(
        config,
        Topics.REPLAYS,
        (id, replay) -> {
          if (applicationId.equals(id)) {
            epoch.accumulateAndGet(replay.getEpoch(), Math::max);
          }
        });
    return epoch.get();
  }

  /** Makes {@code replay} the last one of the application; returns when Kafka has it. */
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
                  Topics.REPLAYS.name(), config.getString("application.id"), replay))
          .get();
    }
  }
}
