package dev.rondo.topology.deletion;

import dev.rondo.schemas.Point;
import dev.rondo.schemas.Points;
import dev.rondo.topology.decode.SeriesPartition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Creations in the by-series topic, as a record of points: the time of each is that from which the
 * series is valid, its value the end of the newest slot, epoch ms.
 */
public final class RoutedCreation {
  /** Who asked; no record of points has it. */
  private static final String BY = "created-by";

  private static final String SOURCE = "created-for";

  private RoutedCreation() {}

  /** The points of a request by the partition of their series. */
  static Map<Integer, Points> points(CreateRequest request, int partitions) {
    Map<Integer, Points> byPartition = new TreeMap<>();
    request
        .creates()
        .forEach(
            (ident, span) ->
                byPartition
                    .computeIfAbsent(
                        SeriesPartition.of(ident, partitions),
                        partition -> new Points(request.policy(), new ArrayList<>()))
                    .getPoints()
                    .add(new Point(ident, span.fromMs(), (double) span.untilMs())));
    return byPartition;
  }

  static Headers headers(CreateRequest request) {
    return new RecordHeaders()
        .add(BY, request.by().getBytes(StandardCharsets.UTF_8))
        .add(SOURCE, request.source().getBytes(StandardCharsets.UTF_8));
  }

  /** Who asked for the series; null if a record creates none. */
  public static String by(Headers headers) {
    return text(headers.lastHeader(BY));
  }

  /** The topic of the series; empty if they have none. */
  public static String source(Headers headers) {
    return text(headers.lastHeader(SOURCE));
  }

  private static String text(Header header) {
    return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
  }

  /** End of the newest slot of a series, epoch ms. */
  public static long untilMs(Point creation) {
    return (long) creation.getV();
  }
}
