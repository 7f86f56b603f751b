package dev.rondo.tools.deadletters;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.topology.drops.RecordId;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * One dead letter: bytes of a source record, or a record for the sink, that could not be stored.
 */
final class DeadLetter {
  private static final String RESENT = "rondo.resent";

  private final ConsumerRecord<byte[], byte[]> record;
  private final RecordId source;
  private final String reason;

  private DeadLetter(ConsumerRecord<byte[], byte[]> record, RecordId source, String reason) {
    this.record = record;
    this.source = source;
    this.reason = reason;
  }

  /** Empty where a record of {@code rondo.dead-letters} is no dead letter. */
  static Optional<DeadLetter> of(ConsumerRecord<byte[], byte[]> record) {
    Headers headers = record.headers();
    DeadLetterHeaders names = DeadLetterHeaders.of(headers);
    String topic = DeadLetterHeaders.text(headers, names.topic());
    long partition = DeadLetterHeaders.number(headers, names.partition(), -1);
    long offset = DeadLetterHeaders.number(headers, names.offset(), -1);
    String reason = names.reason(headers);
    if (topic == null
        || reason == null
        || partition < 0
        || partition > Integer.MAX_VALUE
        || offset < 0
        || record.value() == null) {
      return Optional.empty();
    }
    return Optional.of(
        new DeadLetter(record, new RecordId(topic, (int) partition, offset), reason));
  }

  DeadLetterOffset place() {
    return new DeadLetterOffset(record.partition(), record.offset(), value().length);
  }

  /** When it was written to {@code rondo.dead-letters}, epoch ms. */
  long timeMs() {
    return record.timestamp();
  }

  /** Where its record was. */
  RecordId source() {
    return source;
  }

  /** When its record was written, epoch ms; where that is not told, when it was itself. */
  long writtenMs() {
    return DeadLetterHeaders.number(record.headers(), "rondo.timestamp", timeMs());
  }

  /** Key of the reason why it could not be stored. */
  String reason() {
    return reason;
  }

  /** What is wrong with the first of its points; may be empty. */
  String detail() {
    Headers headers = record.headers();
    String detail = DeadLetterHeaders.text(headers, DeadLetterHeaders.of(headers).detail());
    return detail == null ? "" : detail;
  }

  /** Points in it, or pieces that should have been some. */
  long count() {
    return DeadLetterHeaders.number(record.headers(), "rondo.count", 1);
  }

  /** Length of what was to be kept; more than that of the value where it had to be cut. */
  long bytes() {
    return DeadLetterHeaders.number(record.headers(), "rondo.bytes", value().length);
  }

  boolean isCut() {
    return bytes() > value().length;
  }

  /** Key of its record; null also where it was too long to be kept. */
  byte[] key() {
    return record.key();
  }

  /** The bytes. */
  byte[] value() {
    return record.value();
  }

  /** How often these bytes had been sent again before they became this letter. */
  long resent() {
    return DeadLetterHeaders.number(record.headers(), RESENT, 0);
  }

  /** Headers that its record had, but for those that emit of the letter. */
  Headers ownHeaders() {
    Headers own = new RecordHeaders();
    for (Header header : record.headers()) {
      if (!DeadLetterHeaders.isOne(header)) {
        own.add(header);
      }
    }
    return own;
  }

  /** Headers of its record when it is sent again. */
  Headers headersToSend() {
    return ownHeaders().add(RESENT, Long.toString(resent() + 1).getBytes(UTF_8));
  }
}
