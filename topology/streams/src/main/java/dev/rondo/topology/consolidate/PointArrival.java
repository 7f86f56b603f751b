package dev.rondo.topology.consolidate;

import dev.rondo.topology.lag.Arrival;
import dev.rondo.topology.lag.Lag;
import dev.rondo.topology.lag.Stage;
import dev.rondo.topology.order.Batch;
import dev.rondo.topology.order.Progress;
import dev.rondo.topology.order.SourceHeaders;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Arrival of the point that is being added. It is looked up only when the point starts a row, which
 * few points do. Until the next tick it also applies to slots closed by time.
 */
final class PointArrival {
  private final Lag lag;
  private final Map<ByteBuffer, TopicPartition> partitions = new HashMap<>();

  /** Batch of the point, if it comes from the merge. */
  private Batch batch;

  private Arrival known;

  PointArrival(Lag lag) {
    this.lag = lag;
  }

  /** Starts adding a point of this batch. */
  void begin(Batch next) {
    if (batch == null || batch.sequence() != next.sequence()) {
      batch = next;
      known = null;
    }
  }

  /** Starts adding the points of a record of by-series. */
  void begin(byte[] source, Headers headers) {
    batch = null;
    known = first(source, headers);
  }

  /** Starts adding the points of a record of a keyed source. */
  void begin(RecordMetadata source, long recordMs) {
    batch = null;
    known =
        lag.arrival(
            new TopicPartition(source.topic(), source.partition()), source.offset(), recordMs);
  }

  /** Counts the points of a record of by-series as received. */
  void received(byte[] source, Headers headers, int points) {
    lag.reached(Stage.RECEIVED, first(source, headers), points);
  }

  private Arrival first(byte[] source, Headers headers) {
    Progress first = SourceHeaders.first(headers);
    return lag.arrival(partition(ByteBuffer.wrap(source)), first.position(), first.streamTimeMs());
  }

  /** Ends adding points. */
  void end() {
    batch = null;
    known = null;
  }

  /** The arrival; null if no point is being added. */
  Arrival get() {
    if (known == null && batch != null) {
      known = lag.arrival(partition(batch.source()), batch.offset(), batch.streamTimeMs());
    }
    return known;
  }

  private TopicPartition partition(ByteBuffer id) {
    return partitions.computeIfAbsent(id, SourceHeaders::partition);
  }
}
