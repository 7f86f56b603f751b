package dev.rondo.host;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads the topic {@code points} from its beginning. Not thread-safe. */
final class TopicReader implements AutoCloseable {
  private final KafkaConsumer<String, String> consumer;
  private final List<Reading> readings = new ArrayList<>();

  TopicReader(String bootstrap) {
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrap),
            new StringDeserializer(),
            new StringDeserializer());
    var partitions = List.of(new TopicPartition("points", 0));
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** Returns all readings so far. */
  List<Reading> readings() {
    consumer
        .poll(Duration.ofMillis(100))
        .forEach(found -> readings.add(new Reading(found.key(), found.value())));
    return List.copyOf(readings);
  }

  /** Returns the time of the newest reading, epoch seconds; 0 without one. */
  long newestSeconds() {
    return readings().stream().mapToLong(Reading::epochSeconds).max().orElse(0);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
