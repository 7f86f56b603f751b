package dev.rondo.topology.decode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Source records that follow each other in a partition and go through Kafka Streams as one, which
 * costs as much of it as one point does: queues, clocks, sensors, contexts. The one has the offset
 * of the first of them, as Streams commits that of the record that is processed next; the time of
 * the newest; neither key nor value; and this as its header.
 *
 * <pre>
 *   read        7 8 9 10   3 4
 *   partition   1 1 1  1   2 2
 *   together    7 (7..10)  3 (3..4)
 * </pre>
 */
public final class RecordBatch implements Header {
  /** Records that go together, at most: those that a commit has to wait for. */
  private static final int MOST_RECORDS = 1_000;

  /** Bytes of their values, at most, unless one has more. */
  private static final int MOST_BYTES = 64 * 1024;

  private static final String KEY = "rondo-together";
  private static final byte[] NOTHING = {};

  private final List<ConsumerRecord<byte[], byte[]>> records;
  private long frontBeforeMs = Long.MIN_VALUE;

  private RecordBatch(List<ConsumerRecord<byte[], byte[]>> records) {
    this.records = records;
  }

  /** The same records, those of {@code topics} together. */
  public static ConsumerRecords<byte[], byte[]> join(
      ConsumerRecords<byte[], byte[]> read, Predicate<String> topics) {
    if (read.isEmpty()) {
      return read;
    }
    Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> joined = new HashMap<>();
    for (TopicPartition partition : read.partitions()) {
      List<ConsumerRecord<byte[], byte[]>> records = read.records(partition);
      joined.put(partition, topics.test(partition.topic()) ? join(records) : records);
    }
    return new ConsumerRecords<>(joined, read.nextOffsets());
  }

  private static List<ConsumerRecord<byte[], byte[]>> join(
      List<ConsumerRecord<byte[], byte[]>> records) {
    List<ConsumerRecord<byte[], byte[]>> joined = new ArrayList<>();
    int from = 0;
    int bytes = 0;
    for (int to = 0; to < records.size(); to++) {
      int more = Math.max(0, records.get(to).serializedValueSize());
      if (to > from && (to - from == MOST_RECORDS || bytes + more > MOST_BYTES)) {
        joined.add(one(records.subList(from, to)));
        from = to;
        bytes = 0;
      }
      bytes += more;
    }
    joined.add(one(records.subList(from, records.size())));
    return joined;
  }

  private static ConsumerRecord<byte[], byte[]> one(List<ConsumerRecord<byte[], byte[]>> records) {
    ConsumerRecord<byte[], byte[]> first = records.get(0);
    long newestMs = first.timestamp();
    int keyBytes = 0;
    int valueBytes = 0;
    for (ConsumerRecord<byte[], byte[]> record : records) {
      newestMs = Math.max(newestMs, record.timestamp());
      keyBytes += Math.max(0, record.serializedKeySize());
      valueBytes += Math.max(0, record.serializedValueSize());
    }
    return new ConsumerRecord<>(
        first.topic(),
        first.partition(),
        first.offset(),
        newestMs,
        first.timestampType(),
        keyBytes,
        valueBytes,
        null,
        null,
        new RecordHeaders(new Header[] {new RecordBatch(records)}),
        first.leaderEpoch());
  }

  /** The records that came as one with these {@code headers}; null for a record that came alone. */
  static RecordBatch of(Headers headers) {
    return headers.lastHeader(KEY) instanceof RecordBatch together ? together : null;
  }

  List<ConsumerRecord<byte[], byte[]>> records() {
    return records;
  }

  /** Says which the newest record time of the partition was before, epoch ms. */
  void follow(long streamTimeMs) {
    frontBeforeMs = streamTimeMs;
  }

  /** The newest record time of the partition before these, epoch ms. */
  long frontBeforeMs() {
    return frontBeforeMs;
  }

  @Override
  public String key() {
    return KEY;
  }

  @Override
  public byte[] value() {
    return NOTHING;
  }
}
