package dev.rondo.tools.series;

import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.deletion.DeletionRequest;
import dev.rondo.topology.deletion.RenameRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

/** Requests that series are deleted or renamed, and waits until the topology has done it. */
final class Requests {
  /** Characters of the idents of a request: with their quotes, far below the limit of a record. */
  private static final int REQUEST_LENGTH = 256 * 1024;

  private static final Duration POLL = Duration.ofMillis(200);

  private final TopologyConfig config;
  private final Duration patience;

  /**
   * @param patience how long to wait for the next series
   */
  Requests(TopologyConfig config, Duration patience) {
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
    List<String> requests =
        cut(series).stream()
            .map(some -> new DeletionRequest(by, some, silentSinceMs).json())
            .toList();
    return request(requests, series);
  }

  /**
   * Renames series.
   *
   * @param renames new idents by old ones
   * @param by who asks
   * @return old idents of those that were not renamed while it waited
   */
  Set<String> rename(Map<String, String> renames, String by)
      throws ExecutionException, InterruptedException {
    List<String> requests =
        cut(renames.keySet()).stream()
            .map(some -> new RenameRequest(by, only(renames, some)).json())
            .toList();
    return request(requests, renames.keySet());
  }

  private static Map<String, String> only(Map<String, String> renames, List<String> series) {
    Map<String, String> some = new LinkedHashMap<>();
    series.forEach(old -> some.put(old, renames.get(old)));
    return some;
  }

  private Set<String> request(List<String> requests, Collection<String> series)
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
      send(requests);
      return await(consumer, new HashSet<>(series));
    }
  }

  private void send(List<String> requests) throws ExecutionException, InterruptedException {
    try (Producer<String, String> producer =
        new KafkaProducer<>(
            config.writer(),
            Topics.DELETIONS.keySerde().serializer(),
            Topics.DELETIONS.valueSerde().serializer())) {
      List<Future<RecordMetadata>> written = new ArrayList<>();
      for (String json : requests) {
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
        if (entry.value() == null || !entry.value().getRenamedTo().isEmpty()) {
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
