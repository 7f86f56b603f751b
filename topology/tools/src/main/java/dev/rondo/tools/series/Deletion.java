package dev.rondo.tools.series;

import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.deletion.DeletionRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/** Requests the deletion of series, and waits until the topology has deleted them. */
final class Deletion {
  /** Characters of the idents of a request: with their quotes, far below the limit of a record. */
  private static final int REQUEST_LENGTH = 256 * 1024;

  private static final Duration POLL = Duration.ofMillis(200);

  private final TopologyConfig config;
  private final Duration patience;

  /**
   * @param patience how long to wait for the next series
   */
  Deletion(TopologyConfig config, Duration patience) {
    this.config = config;
    this.patience = patience;
  }

  /**
   * Deletes series.
   *
   * @param by who asks
   * @param silentSinceMs only series without a point after this time, epoch ms
   * @return those that were not deleted while it waited
   */
  Set<String> delete(Collection<String> series, String by, OptionalLong silentSinceMs)
      throws ExecutionException, InterruptedException {
    try (Consumer<String, SeriesEntry> consumer =
        new KafkaConsumer<>(
            config.reader(),
            Topics.SERIES.keySerde().deserializer(),
            Topics.SERIES.valueSerde().deserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(config.topic(Topics.SERIES).name()).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.endOffsets(partitions).forEach(consumer::seek);
      request(series, by, silentSinceMs);
      return await(consumer, new HashSet<>(series));
    }
  }

  private void request(Collection<String> series, String by, OptionalLong silentSinceMs)
      throws ExecutionException, InterruptedException {
    try (Producer<String, String> producer =
        new KafkaProducer<>(
            config.writer(),
            Topics.DELETIONS.keySerde().serializer(),
            Topics.DELETIONS.valueSerde().serializer())) {
      List<Future<RecordMetadata>> written = new ArrayList<>();
      for (List<String> some : cut(series)) {
        String json = new DeletionRequest(by, some, silentSinceMs).json();
        written.add(
            producer.send(new ProducerRecord<>(config.topic(Topics.DELETIONS).name(), json)));
      }
      for (Future<RecordMetadata> one : written) {
        one.get();
      }
    }
  }

  private static List<List<String>> cut(Collection<String> series) {
    List<List<String>> requests = new ArrayList<>();
    int length = REQUEST_LENGTH;
    for (String ident : series) {
      if (length + ident.length() > REQUEST_LENGTH) {
        requests.add(new ArrayList<>());
        length = 0;
      }
      requests.get(requests.size() - 1).add(ident);
      length += ident.length();
    }
    return requests;
  }

  private Set<String> await(Consumer<String, SeriesEntry> consumer, Set<String> left) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!left.isEmpty() && System.nanoTime() < deadline) {
      int before = left.size();
      for (ConsumerRecord<String, SeriesEntry> entry : consumer.poll(POLL)) {
        if (entry.value() == null) {
          left.remove(entry.key());
        }
      }
      if (left.size() < before) {
        deadline = System.nanoTime() + patience.toNanos();
      }
    }
    return left;
  }
}
