package dev.rondo.tools.deadletters;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.schemas.Topics;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Which letters have been sent again. Of each a mark tells it: a record without a value in the
 * letter's own partition, later than the letter, so that it lives as long; its header {@code
 * rondo.sent} is the letter's offset.
 */
final class SentMarks {
  private static final String SENT = "rondo.sent";

  private final Map<Integer, Long> begins;
  private final Map<Integer, BitSet> sent = new HashMap<>();

  /**
   * @param begins first offset of each partition
   */
  SentMarks(Map<Integer, Long> begins) {
    this.begins = begins;
  }

  /** The mark of a letter that has been sent. */
  static ProducerRecord<byte[], byte[]> of(DeadLetterOffset letter) {
    ProducerRecord<byte[], byte[]> mark =
        new ProducerRecord<>(Topics.DEAD_LETTERS.name(), letter.partition(), null, null);
    mark.headers().add(SENT, Long.toString(letter.offset()).getBytes(UTF_8));
    return mark;
  }

  /** Takes note of a record if it is a mark. */
  void read(ConsumerRecord<byte[], byte[]> record) {
    Header header = record.headers().lastHeader(SENT);
    if (header == null || header.value() == null || record.value() != null) {
      return;
    }
    try {
      long index = index(record.partition(), Long.parseLong(new String(header.value(), UTF_8)));
      if (index >= 0 && index <= index(record.partition(), record.offset())) {
        sent.computeIfAbsent(record.partition(), p -> new BitSet()).set(Math.toIntExact(index));
      }
    } catch (NumberFormatException e) {
      // not one of ours
    }
  }

  private long index(int partition, long offset) {
    return offset - begins.get(partition);
  }

  boolean isSent(DeadLetterOffset letter) {
    BitSet marks = sent.get(letter.partition());
    return marks != null && marks.get(Math.toIntExact(index(letter.partition(), letter.offset())));
  }
}
