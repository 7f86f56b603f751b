package dev.rondo.tools.series;

import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.deletion.CreateRequest;
import dev.rondo.topology.deletion.CreateRequest.Span;
import dev.rondo.topology.deletion.DeletionRequest;
import dev.rondo.topology.deletion.RenameRequest;
import dev.rondo.topology.topics.TopicReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
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

/**
 * Requests that series are deleted or renamed, and waits until the topology has done it; or that
 * they are created.
 */
public final class Requests {
  /** Characters of the idents of a request: with their quotes, far below the limit of a record. */
  private static final int REQUEST_LENGTH = 256 * 1024;

  private static final int SPAN_LENGTH =
      "{'from_ms':1700000000000,'until_ms':1700000000000},".length();

  private static final Duration POLL = Duration.ofMillis(200);

  private final TopologyConfig config;
  private final Duration patience;

  /**
   * @param patience how long to wait for the next series
   */
  public Requests(TopologyConfig config, Duration patience) {
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

  /**
   * Asks for new series, and returns when Kafka has the requests.
   *
   * @param spans the time of their slots, by canonical ident
   * @param by who asks
   * @param policy that their source names; empty = none
   * @param source topic of the series; empty if they have none
   */
  public void create(Map<String, Span> spans, String by, String policy, String source)
      throws ExecutionException, InterruptedException {
    List<String> requests =
        cut(spans.keySet(), SPAN_LENGTH).stream()
            .map(some -> new CreateRequest(by, policy, source, only(spans, some)).json())
            .toList();
    send(requests);
  }

  /** When the series begin that were asked for, epoch ms by ident, as long as the topic has it. */
  public Map<String, Set<Long>> creations() throws InterruptedException {
    var creations = new HashMap<String, Set<Long>>();
    TopicReader.read(
        config,
        config.topic(Topics.DELETIONS),
        (key, json) ->
            CreateRequest.read(json)
                .ifPresent(
                    request ->
                        request
                            .creates()
                            .forEach(
                                (ident, span) ->
                                    creations
                                        .computeIfAbsent(ident, each -> new HashSet<>(2))
                                        .add(span.fromMs()))));
    return creations;
  }

  private static <T> Map<String, T> only(Map<String, T> all, List<String> series) {
    Map<String, T> some = new LinkedHashMap<>();
    series.forEach(ident -> some.put(ident, all.get(ident)));
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
    return cut(series, 0);
  }

  /**
   * @param more characters for each ident
   */
  private static List<List<String>> cut(Collection<String> series, int more) {
    List<List<String>> requests = new ArrayList<>();
    int length = REQUEST_LENGTH;
    for (String ident : series) {
      if (length + ident.length() + more > REQUEST_LENGTH) {
        requests.add(new ArrayList<>());
        length = 0;
      }
      requests.get(requests.size() - 1).add(ident);
      length += ident.length() + more;
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
