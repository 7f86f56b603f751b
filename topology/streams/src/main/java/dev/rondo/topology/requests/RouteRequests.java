package dev.rondo.topology.requests;

import dev.rondo.formats.Naming;
import dev.rondo.schemas.CreateSeries;
import dev.rondo.schemas.DeleteSeries;
import dev.rondo.schemas.NewSeries;
import dev.rondo.schemas.RenameSeries;
import dev.rondo.schemas.SeriesRequest;
import dev.rondo.schemas.requests.RequestJson;
import dev.rondo.topology.decode.SeriesPartition;
import dev.rondo.topology.drops.RecordId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Routes {@code rondo.series-requests} to by-series. Deletions and renames go to all tasks, because
 * a series of a keyed source may live in any of them; new series go to their partition. Logs each
 * request.
 */
public final class RouteRequests
    extends ContextualProcessor<String, String, Integer, SpecificRecord> {
  public static final String NAME = "route-requests";

  /** Child that receives requests: key = partition, or {@link #ALL}. */
  public static final String BY_SERIES_CHILD = "requests-by-series";

  private static final Logger LOG = LoggerFactory.getLogger(RouteRequests.class);
  private static final int MOST_NAMED = 3;

  /** Key of a record for all partitions. */
  private static final int ALL = -1;

  private final Naming naming;
  private final int partitions;

  /**
   * @param naming naming of a source without rules, to check new idents
   * @param partitions number of partitions of by-series
   */
  public RouteRequests(Naming naming, int partitions) {
    this.naming = naming;
    this.partitions = partitions;
  }

  @Override
  public void process(Record<String, String> record) {
    try {
      SeriesRequest request = RequestJson.parse(record.value(), record.timestamp());
      NewIdents.check(request, naming);
      route(request);
    } catch (IllegalArgumentException e) {
      LOG.error("ignored the request at {}: {}", offset(), e.getMessage());
    }
  }

  private void route(SeriesRequest request) {
    if (request.getRequest() instanceof DeleteSeries deletes) {
      log("deletion", request.getBy(), deletes.getIdents());
      toAll(request, deletes.getIdents().isEmpty());
    } else if (request.getRequest() instanceof RenameSeries renames) {
      log(
          "renaming",
          request.getBy(),
          renames.getRenames().stream()
              .map(rename -> rename.getIdent() + " to " + rename.getTo())
              .toList());
      toAll(request, renames.getRenames().isEmpty());
    } else if (request.getRequest() instanceof CreateSeries creates) {
      log(
          "creation",
          request.getBy(),
          creates.getSeries().stream().map(NewSeries::getIdent).toList());
      toEach(request, creates);
    }
  }

  private void toAll(SeriesRequest request, boolean isEmpty) {
    if (!isEmpty) {
      forward(ALL, request);
    }
  }

  private void toEach(SeriesRequest request, CreateSeries creates) {
    Map<Integer, List<NewSeries>> byPartition = new TreeMap<>();
    for (NewSeries series : creates.getSeries()) {
      byPartition
          .computeIfAbsent(
              SeriesPartition.of(series.getIdent(), partitions), partition -> new ArrayList<>())
          .add(series);
    }
    byPartition.forEach(
        (partition, series) ->
            forward(
                partition,
                new SeriesRequest(
                    request.getBy(),
                    request.getAt(),
                    new CreateSeries(creates.getPolicy(), creates.getSource(), series))));
  }

  private void forward(int partition, SeriesRequest request) {
    context().forward(new Record<>(partition, request, request.getAt()));
  }

  private void log(String what, String by, List<String> series) {
    LOG.info(
        "{} of {} series requested by {} at {}: {}{}",
        what,
        series.size(),
        by,
        offset(),
        series.stream().limit(MOST_NAMED).collect(Collectors.joining(", ")),
        series.size() > MOST_NAMED ? ", ..." : "");
  }

  private String offset() {
    return context().recordMetadata().map(RouteRequests::offset).orElse("an unknown offset");
  }

  private static String offset(RecordMetadata metadata) {
    return new RecordId(metadata.topic(), metadata.partition(), metadata.offset()).toString();
  }

  @SuppressWarnings("removal") // in Kafka 4.4 still the only abstract method
  public static StreamPartitioner<Integer, SpecificRecord> partitioner() {
    return (topic, key, request, count) -> Optional.of(key == ALL ? all(count) : Set.of(key));
  }

  private static Set<Integer> all(int count) {
    return IntStream.range(0, count).boxed().collect(Collectors.toUnmodifiableSet());
  }
}
