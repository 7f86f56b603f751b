package dev.rondo.tools.deadletters.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.schemas.deadletters.DeadLetterHeader;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Records which dead letters have been resent. A mark is a record without a value in the partition
 * of the dead letter; its header {@code rondo.sent} is the offset of the dead letter. It is written
 * later than the dead letter, so retention deletes it later.
 */
public final class SentMarks {
  private final Map<Integer, Long> begins;
  private final Map<Integer, BitSet> sent = new HashMap<>();

  /**
   * @param begins first offset of each partition
   */
  public SentMarks(Map<Integer, Long> begins) {
    this.begins = begins;
  }

  /** Creates the mark for a dead letter of {@code topic} that has been sent. */
  public static ProducerRecord<byte[], byte[]> of(String topic, DeadLetterLocation deadLetter) {
    ProducerRecord<byte[], byte[]> mark =
        new ProducerRecord<>(topic, deadLetter.partition(), null, null);
    mark.headers().add(DeadLetterHeader.SENT, Long.toString(deadLetter.offset()).getBytes(UTF_8));
    return mark;
  }

  /** Remembers the record if it is a mark. */
  public void read(ConsumerRecord<byte[], byte[]> record) {
    Header header = record.headers().lastHeader(DeadLetterHeader.SENT);
    if (header == null || header.value() == null || record.value() != null) {
      return;
    }
    try {
      long index = index(record.partition(), Long.parseLong(new String(header.value(), UTF_8)));
      if (index >= 0 && index <= index(record.partition(), record.offset())) {
        sent.computeIfAbsent(record.partition(), p -> new BitSet()).set(Math.toIntExact(index));
      }
    } catch (NumberFormatException e) {
      // not a mark of Rondo
    }
  }

  private long index(int partition, long offset) {
    return offset - begins.get(partition);
  }

  public boolean isSent(DeadLetterLocation deadLetter) {
    BitSet marks = sent.get(deadLetter.partition());
    return marks != null
        && marks.get(Math.toIntExact(index(deadLetter.partition(), deadLetter.offset())));
  }
}
