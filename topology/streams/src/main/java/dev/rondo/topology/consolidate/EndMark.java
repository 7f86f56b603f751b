package dev.rondo.topology.consolidate;

import dev.rondo.schemas.Points;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;

/**
 * The record of by-series that ends a live replay: all points are before it. The task emits its
 * open slots.
 */
public final class EndMark {
  /** No record of points has it. */
  private static final String HEADER = "end";

  private EndMark() {}

  /** The record for one partition of the by-series topic. */
  public static ProducerRecord<Integer, Points> record(String bySeries, int partition) {
    var record = new ProducerRecord<>(bySeries, partition, partition, new Points("", List.of()));
    record.headers().add(HEADER, new byte[0]);
    return record;
  }

  static boolean isIn(Headers headers) {
    return headers.lastHeader(HEADER) != null;
  }
}
