package dev.rondo.tools.check.record;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.catalog.Format;
import dev.rondo.topology.decode.TimeLimits;
import dev.rondo.topology.policy.Policy;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A record and what the topology would make of it.
 *
 * @param record as read from Kafka
 * @param writtenMs time of writing that the topology would use, epoch ms
 * @param format it was decoded as
 * @param points that would be stored
 * @param events that would be stored
 * @param drops what would not be stored
 */
public record CheckedRecord(
    ConsumerRecord<byte[], byte[]> record,
    long writtenMs,
    Format format,
    List<Point> points,
    List<Event> events,
    List<Drop> drops) {

  /** A point that would be stored, and the policy of its series. */
  public record Point(String ident, long tMs, double value, Policy policy) {}

  /** An event that would be stored. */
  public record Event(long tMs, String what, List<String> tags) {}

  /**
   * A piece of a record that would not be stored.
   *
   * @param ident null if it could not be read
   * @param detail the error
   * @param excerpt of the bytes
   */
  public record Drop(
      DropReason reason, String ident, OptionalLong tMs, String detail, String excerpt) {
    /** Whether its time is wrong, as by another unit: in the future, or before 2000. */
    public boolean isDecadesOff() {
      return reason == DropReason.TOO_FAR_IN_THE_FUTURE
          || (reason == DropReason.TOO_OLD && tMs.orElse(0) < TimeLimits.EARLIEST_MS);
    }
  }

  /** Number of points and events that would be stored. */
  int stored() {
    return points.size() + events.size();
  }

  public byte[] key() {
    return record.key();
  }

  /** Length of the value, bytes. */
  public int bytes() {
    return record.value() == null ? 0 : record.value().length;
  }
}
