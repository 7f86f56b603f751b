package dev.rondo.topology.deletion;

import dev.rondo.formats.Naming;
import dev.rondo.schemas.Points;
import dev.rondo.topology.drops.RecordId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The step between {@code rondo.deletions} and by-series: passes each request to all tasks, because
 * a series of a keyed source may live in any of them; new series go to the task of their partition.
 * Logs who asked for what.
 */
public final class RouteDeletions extends ContextualProcessor<String, String, Integer, Points> {
  /** Name of the node. */
  public static final String NAME = "route-deletions";

  /** Child that takes what is routed: the key is the partition, or {@link #ALL}. */
  public static final String BY_SERIES_CHILD = "deletions-by-series";

  private static final Logger LOG = LoggerFactory.getLogger(RouteDeletions.class);
  private static final int MOST_NAMED = 3;

  /** Key of a record for all partitions. */
  private static final int ALL = -1;

  private final Naming naming;
  private final int partitions;

  /**
   * @param naming of a source without rules, for new names
   * @param partitions of by-series
   */
  public RouteDeletions(Naming naming, int partitions) {
    this.naming = naming;
    this.partitions = partitions;
  }

  @Override
  public void process(Record<String, String> record) {
    try {
      if (RenameRequest.isOne(record.value())) {
        RenameRequest request = RenameRequest.parse(record.value());
        request.check(naming);
        rename(request, record.timestamp());
      } else if (CreateRequest.isOne(record.value())) {
        CreateRequest request = CreateRequest.parse(record.value());
        request.check(naming);
        create(request, record.timestamp());
      } else {
        delete(DeletionRequest.parse(record.value()), record.timestamp());
      }
    } catch (IllegalArgumentException e) {
      LOG.error("ignored the request at {}: {}", offset(), e.getMessage());
    }
  }

  private void delete(DeletionRequest request, long atMs) {
    LOG.info(
        "deletion of {} series requested by {} at {}: {}",
        request.series().size(),
        request.by(),
        offset(),
        named(request.series()));
    forward(RoutedDeletion.points(request, atMs), RoutedDeletion.headers(request), atMs);
  }

  private void rename(RenameRequest request, long atMs) {
    List<String> renames =
        request.renames().entrySet().stream()
            .map(rename -> rename.getKey() + " to " + rename.getValue())
            .toList();
    LOG.info(
        "renaming of {} series requested by {} at {}: {}",
        renames.size(),
        request.by(),
        offset(),
        named(renames));
    forward(RoutedRenaming.points(request, atMs), RoutedRenaming.headers(request), atMs);
  }

  private void create(CreateRequest request, long atMs) {
    List<String> series = List.copyOf(request.creates().keySet());
    LOG.info(
        "creation of {} series requested by {} at {}: {}",
        series.size(),
        request.by(),
        offset(),
        named(series));
    RoutedCreation.points(request, partitions)
        .forEach(
            (partition, points) ->
                context()
                    .forward(
                        new Record<>(partition, points, atMs, RoutedCreation.headers(request))));
  }

  private void forward(Points points, Headers headers, long atMs) {
    if (!points.getPoints().isEmpty()) {
      context().forward(new Record<>(ALL, points, atMs, headers));
    }
  }

  private static String named(List<String> series) {
    return series.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
        + (series.size() > MOST_NAMED ? ", ..." : "");
  }

  private String offset() {
    return context().recordMetadata().map(RouteDeletions::offset).orElse("an unknown offset");
  }

  private static String offset(RecordMetadata metadata) {
    return new RecordId(metadata.topic(), metadata.partition(), metadata.offset()).toString();
  }

  /** Sends a record to its partition, or to all. */
  public static StreamPartitioner<Integer, Points> partitioner() {
    return (topic, key, points, count) -> Optional.of(key == ALL ? all(count) : Set.of(key));
  }

  private static Set<Integer> all(int count) {
    return IntStream.range(0, count).boxed().collect(Collectors.toUnmodifiableSet());
  }
}
