package dev.rondo.topology.deletion;

import dev.rondo.schemas.Point;
import dev.rondo.schemas.Points;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Renamings in the by-series topic, as a record of points: two for each, of the old and of the new
 * ident, with the time of the request and without a value.
 */
public final class RoutedRenaming {
  /** Who asked; no record of points has it. */
  private static final String HEADER = "renamed-by";

  private RoutedRenaming() {}

  /**
   * The points of a request.
   *
   * @param atMs time of the request, epoch ms
   */
  static Points points(RenameRequest request, long atMs) {
    List<Point> points =
        request.renames().entrySet().stream()
            .flatMap(rename -> Stream.of(rename.getKey(), rename.getValue()))
            .map(ident -> new Point(ident, atMs, Double.NaN))
            .toList();
    return new Points("", points);
  }

  static Headers headers(RenameRequest request) {
    return new RecordHeaders().add(HEADER, request.by().getBytes(StandardCharsets.UTF_8));
  }

  /** Who asked for the renamings; null if a record has none. */
  public static String by(Headers headers) {
    Header header = headers.lastHeader(HEADER);
    return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
  }
}
