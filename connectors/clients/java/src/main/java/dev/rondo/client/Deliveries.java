package dev.rondo.client;

import java.time.Clock;
import java.util.Map;

/** Counts delivered and dropped points; both counters are metrics of the client itself. */
final class Deliveries {
  private final Counter published;
  private final Counter dropped;
  private final DropLog log;

  Deliveries(Names names, Clock clock) {
    published = new Counter(names.ident("rondo_client.published", Map.of()));
    dropped = new Counter(names.ident("rondo_client.dropped", Map.of()));
    log = new DropLog(clock);
  }

  /** Points that Kafka has acknowledged. */
  Counter published() {
    return published;
  }

  /** Points that were not published. */
  Counter dropped() {
    return dropped;
  }

  void published(long points) {
    published.add(points);
  }

  void dropped(long points, String reason) {
    dropped.add(points);
    log.dropped(points, reason);
  }

  /**
   * Logs the number of undelivered points, if any.
   *
   * @return the line, or {@code ""}
   */
  String close() {
    return log.close(dropped.total(), published.total());
  }
}
