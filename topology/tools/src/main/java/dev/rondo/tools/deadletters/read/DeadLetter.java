package dev.rondo.tools.deadletters.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.schemas.deadletters.DeadLetterHeader;
import dev.rondo.topology.drops.RecordId;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * A record of {@code rondo.dead-letters}: bytes of a source record, or a record for the sink, that
 * could not be stored.
 */
public final class DeadLetter {
  private final ConsumerRecord<byte[], byte[]> record;
  private final RecordId source;
  private final String reason;

  private DeadLetter(ConsumerRecord<byte[], byte[]> record, RecordId source, String reason) {
    this.record = record;
    this.source = source;
    this.reason = reason;
  }

  /** Reads a dead letter; empty when the record is something else, such as a mark. */
  public static Optional<DeadLetter> of(ConsumerRecord<byte[], byte[]> record) {
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

  public DeadLetterLocation location() {
    return new DeadLetterLocation(record.partition(), record.offset(), value().length);
  }

  /** Time at which it was written to {@code rondo.dead-letters}, epoch ms. */
  public long timeMs() {
    return record.timestamp();
  }

  /** Topic, partition and offset of the original record. */
  public RecordId source() {
    return source;
  }

  /**
   * Time at which the original record was first written, epoch ms; without a header for it, the
   * time of the dead letter.
   */
  public long writtenMs() {
    Headers headers = record.headers();
    long sourceMs = DeadLetterHeaders.number(headers, DeadLetterHeader.TIMESTAMP, timeMs());
    return DeadLetterHeaders.number(headers, DeadLetterHeader.WRITTEN, sourceMs);
  }

  /** Key of the reason for which it was not stored. */
  public String reason() {
    return reason;
  }

  /** The error of its first point; may be empty. */
  public String detail() {
    Headers headers = record.headers();
    String detail = DeadLetterHeaders.text(headers, DeadLetterHeaders.of(headers).detail());
    return detail == null ? "" : detail;
  }

  /** Number of points, or of pieces that should have been points. */
  public long count() {
    return DeadLetterHeaders.number(record.headers(), DeadLetterHeader.COUNT, 1);
  }

  /** Original length, bytes; greater than the length of the value if that was truncated. */
  public long bytes() {
    return DeadLetterHeaders.number(record.headers(), DeadLetterHeader.BYTES, value().length);
  }

  public boolean isCut() {
    return bytes() > value().length;
  }

  /** Key of the original record; null also when it was too long to be kept. */
  public byte[] key() {
    return record.key();
  }

  /** The bytes that were not stored. */
  public byte[] value() {
    return record.value();
  }

  /** Number of times that these bytes had been resent before they became this dead letter. */
  public long resent() {
    return DeadLetterHeaders.number(record.headers(), DeadLetterHeader.RESENT, 0);
  }

  /** Headers of the original record, without those that describe the dead letter. */
  public Headers ownHeaders() {
    Headers own = new RecordHeaders();
    for (Header header : record.headers()) {
      if (!DeadLetterHeaders.isDescription(header)) {
        own.add(header);
      }
    }
    return own;
  }

  /** Headers to resend the record with. */
  public Headers headersToSend() {
    Headers headers = ownHeaders();
    headers
        .add(DeadLetterHeader.RESENT, utf8(resent() + 1))
        .add(DeadLetterHeader.WRITTEN, utf8(writtenMs()));
    return skipped().length == 0 ? headers : headers.add(DeadLetterHeader.SKIP, skipped());
  }

  /** What of the bytes it is not about, {@link DeadLetterHeader#SKIP}; empty if it is about all. */
  public byte[] skipped() {
    Header header = record.headers().lastHeader(DeadLetterHeader.SKIP);
    return header == null || header.value() == null ? new byte[0] : header.value();
  }

  private static byte[] utf8(long number) {
    return Long.toString(number).getBytes(UTF_8);
  }
}
