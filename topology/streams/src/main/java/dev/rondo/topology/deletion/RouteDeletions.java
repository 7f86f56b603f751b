package dev.rondo.topology.deletion;

import dev.rondo.formats.Naming;
import dev.rondo.schemas.Points;
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
 * a series of a keyed source may live in any of them. Logs who asked for what.
 */
public final class RouteDeletions extends ContextualProcessor<String, String, Integer, Points> {
  /** Name of the node. */
  public static final String NAME = "route-deletions";

  /** Child that takes what is routed: a record for all partitions. */
  public static final String BY_SERIES_CHILD = "deletions-by-series";

  private static final Logger LOG = LoggerFactory.getLogger(RouteDeletions.class);
  private static final int MOST_NAMED = 3;

  private final Naming naming;

  /**
   * @param naming of a source without rules, for new names
   */
  public RouteDeletions(Naming naming) {
    this.naming = naming;
  }

  @Override
  public void process(Record<String, String> record) {
    try {
      if (RenameRequest.isOne(record.value())) {
        RenameRequest request = RenameRequest.parse(record.value());
        request.check(naming);
        rename(request, record.timestamp());
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

  private void forward(Points points, Headers headers, long atMs) {
    if (!points.getPoints().isEmpty()) {
      context().forward(new Record<>(0, points, atMs, headers));
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
    return "offset %d:%d of %s"
        .formatted(metadata.partition(), metadata.offset(), metadata.topic());
  }

  /** Sends a record to all partitions. */
  public static StreamPartitioner<Integer, Points> toAll() {
    return (topic, key, points, count) -> Optional.of(all(count));
  }

  private static Set<Integer> all(int count) {
    return IntStream.range(0, count).boxed().collect(Collectors.toUnmodifiableSet());
  }
}
