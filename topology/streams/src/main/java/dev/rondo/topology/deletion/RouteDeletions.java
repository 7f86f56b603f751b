package dev.rondo.topology.deletion;

import dev.rondo.schemas.Points;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

  @Override
  public void process(Record<String, String> record) {
    DeletionRequest request;
    try {
      request = DeletionRequest.parse(record.value());
    } catch (IllegalArgumentException e) {
      LOG.error("ignored the request at {}: {}", offset(), e.getMessage());
      return;
    }
    LOG.info(
        "deletion of {} series requested by {} at {}: {}",
        request.series().size(),
        request.by(),
        offset(),
        named(request));
    if (!request.series().isEmpty()) {
      context()
          .forward(
              new Record<>(
                  0,
                  RoutedDeletion.points(request, record.timestamp()),
                  record.timestamp(),
                  RoutedDeletion.headers(request)));
    }
  }

  private static String named(DeletionRequest request) {
    return request.series().stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
        + (request.series().size() > MOST_NAMED ? ", ..." : "");
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
