package dev.rondo.tools.series;

import dev.rondo.schemas.CreateSeries;
import dev.rondo.schemas.DeleteSeries;
import dev.rondo.schemas.NewSeries;
import dev.rondo.schemas.Rename;
import dev.rondo.schemas.RenameSeries;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.SeriesRequest;
import dev.rondo.schemas.Topics;
import dev.rondo.schemas.requests.RequestJson;
import dev.rondo.schemas.requests.Span;
import dev.rondo.tools.command.CommandException;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.topics.TopicReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
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
import picocli.CommandLine.ExitCode;

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

  /** Patience of a command. */
  static final Duration PATIENCE = Duration.ofSeconds(20);

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
    Long silentSince = silentSinceMs.isPresent() ? silentSinceMs.getAsLong() : null;
    List<String> requests =
        cut(series).stream().map(some -> json(by, new DeleteSeries(some, silentSince))).toList();
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
            .map(some -> some.stream().map(ident -> new Rename(ident, renames.get(ident))).toList())
            .map(some -> json(by, new RenameSeries(some)))
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
            .map(some -> some.stream().map(ident -> newSeries(ident, spans.get(ident))).toList())
            .map(some -> json(by, new CreateSeries(policy, source, some)))
            .toList();
    send(requests);
  }

  private static NewSeries newSeries(String ident, Span span) {
    return new NewSeries(ident, span.fromMs(), span.untilMs());
  }

  private static String json(String by, Object request) {
    return RequestJson.write(new SeriesRequest(by, 0L, request)); // Kafka sets the time
  }

  /**
   * Times at which requested series begin, epoch ms by ident, of the requests that the topic still
   * has.
   */
  public Map<String, Set<Long>> creations() throws InterruptedException {
    var creations = new HashMap<String, Set<Long>>();
    TopicReader.read(
        config,
        config.topic(Topics.SERIES_REQUESTS),
        (key, json) ->
            created(json)
                .forEach(
                    series ->
                        creations
                            .computeIfAbsent(series.getIdent(), each -> new HashSet<>(2))
                            .add(series.getFrom())));
    return creations;
  }

  private static List<NewSeries> created(String json) {
    return RequestJson.read(json, 0)
        .filter(request -> request.getRequest() instanceof CreateSeries)
        .map(request -> ((CreateSeries) request.getRequest()).getSeries())
        .orElse(List.of());
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
            Topics.SERIES_REQUESTS.keySerde().serializer(),
            Topics.SERIES_REQUESTS.valueSerde().serializer())) {
      List<Future<RecordMetadata>> written = new ArrayList<>();
      for (String json : requests) {
        written.add(
            producer.send(new ProducerRecord<>(config.topic(Topics.SERIES_REQUESTS).name(), json)));
      }
      for (Future<RecordMetadata> one : written) {
        one.get();
      }
    }
  }

  /**
   * Prints how many series were changed.
   *
   * @param done such as deleted
   * @param requested number of series
   * @param left of those, not changed within the patience of a command
   * @param begunNs when they were requested
   * @param why they may be left
   * @return exit code 0
   * @throws CommandException if some are left
   */
  static int report(String done, int requested, Set<String> left, long begunNs, String why) {
    System.out.printf(
        Locale.ROOT,
        "%s %,d series in %.1f s%n",
        done,
        requested - left.size(),
        (System.nanoTime() - begunNs) / 1e9);
    if (left.isEmpty()) {
      return ExitCode.OK;
    }
    throw CommandException.refused(
        "%s series were requested and not %s within %d s: %s; %s"
            .formatted(
                KnownSeries.number(left.size()),
                done,
                PATIENCE.toSeconds(),
                KnownSeries.named(left),
                why));
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
