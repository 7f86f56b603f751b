package dev.rondo.topology.deletion;

import dev.rondo.schemas.Point;
import dev.rondo.schemas.Points;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * A deletion in the by-series topic, as a record of points: the time of each is that of the
 * deletion, its value the time of the newest point that the series may have, epoch ms, or NaN if it
 * may have any.
 */
public final class RoutedDeletion {
  /** Who asked; no record of points has it. */
  private static final String HEADER = "deleted-by";

  private RoutedDeletion() {}

  /**
   * The points of a request.
   *
   * @param atMs time of the deletion, epoch ms
   */
  static Points points(DeletionRequest request, long atMs) {
    double silentSinceMs =
        request.silentSinceMs().isPresent() ? request.silentSinceMs().getAsLong() : Double.NaN;
    List<Point> points =
        request.series().stream().map(ident -> new Point(ident, atMs, silentSinceMs)).toList();
    return new Points("", points);
  }

  static Headers headers(DeletionRequest request) {
    return new RecordHeaders().add(HEADER, request.by().getBytes(StandardCharsets.UTF_8));
  }

  /** Who asked for the deletion; null if a record has points. */
  public static String by(Headers headers) {
    Header header = headers.lastHeader(HEADER);
    return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
  }

  /** Whether a series whose newest point has this time, epoch ms, is deleted. */
  public static boolean includes(Point deletion, long newestMs) {
    return Double.isNaN(deletion.getV()) || newestMs <= deletion.getV();
  }
}
