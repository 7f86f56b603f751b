package dev.rondo.tools.check;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.Format;
import dev.rondo.topology.policy.Policy;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A record and what it would become.
 *
 * @param record as it lies in Kafka
 * @param writtenMs when it was written, as the topology takes it, epoch ms
 * @param format that it was read as
 * @param points to be stored
 * @param drops what is not
 */
record CheckedRecord(
    ConsumerRecord<byte[], byte[]> record,
    long writtenMs,
    Format format,
    List<Point> points,
    List<Drop> drops) {

  /** A point and the policy that its series would get. */
  record Point(String ident, long tMs, double value, Policy policy) {}

  /**
   * What is not stored.
   *
   * @param ident null where it could not be read
   * @param detail what is wrong
   * @param excerpt of the bytes
   */
  record Drop(DropReason reason, String ident, OptionalLong tMs, String detail, String excerpt) {}

  byte[] key() {
    return record.key();
  }

  /** Length of the value, bytes. */
  int bytes() {
    return record.value() == null ? 0 : record.value().length;
  }
}
