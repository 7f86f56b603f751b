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
 * Consecutive source records of a partition that pass through Kafka Streams as one, because its
 * cost per record (queues, clocks, sensors, contexts) exceeds that of decoding. The joined record
 * has the offset of the first record, because Streams commits the offset of the next record to
 * process; the newest timestamp; neither key nor value; and this object as a header.
 *
 * <pre>
 *   read        7 8 9 10   3 4
 *   partition   1 1 1  1   2 2
 *   joined      7 (7..10)  3 (3..4)
 * </pre>
 */
public final class RecordBatch implements Header {
  /** Most records in a batch. A commit waits until a batch is processed. */
  private static final int MAX_RECORDS = 1_000;

  /** Most bytes of values in a batch; a larger record is a batch by itself. */
  private static final int MAX_BYTES = 64 * 1024;

  private static final String KEY = "rondo-record-batch";
  private static final byte[] NOTHING = {};

  private final List<ConsumerRecord<byte[], byte[]>> records;
  private final long fetchedMs;
  private long streamTimeBeforeMs = Long.MIN_VALUE;

  private RecordBatch(List<ConsumerRecord<byte[], byte[]>> records, long fetchedMs) {
    this.records = records;
    this.fetchedMs = fetchedMs;
  }

  /**
   * Joins the records of {@code topics} and returns the records of other topics unchanged.
   *
   * @param fetchedMs when they were read, epoch ms
   */
  public static ConsumerRecords<byte[], byte[]> join(
      ConsumerRecords<byte[], byte[]> read, Predicate<String> topics, long fetchedMs) {
    if (read.isEmpty()) {
      return read;
    }
    Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> joined = new HashMap<>();
    for (TopicPartition partition : read.partitions()) {
      List<ConsumerRecord<byte[], byte[]>> records = read.records(partition);
      joined.put(partition, topics.test(partition.topic()) ? join(records, fetchedMs) : records);
    }
    return new ConsumerRecords<>(joined, read.nextOffsets());
  }

  private static List<ConsumerRecord<byte[], byte[]>> join(
      List<ConsumerRecord<byte[], byte[]>> records, long fetchedMs) {
    List<ConsumerRecord<byte[], byte[]>> joined = new ArrayList<>();
    int from = 0;
    int bytes = 0;
    for (int to = 0; to < records.size(); to++) {
      int more = Math.max(0, records.get(to).serializedValueSize());
      if (to > from && (to - from == MAX_RECORDS || bytes + more > MAX_BYTES)) {
        joined.add(one(records.subList(from, to), fetchedMs));
        from = to;
        bytes = 0;
      }
      bytes += more;
    }
    joined.add(one(records.subList(from, records.size()), fetchedMs));
    return joined;
  }

  private static ConsumerRecord<byte[], byte[]> one(
      List<ConsumerRecord<byte[], byte[]>> records, long fetchedMs) {
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
        new RecordHeaders(new Header[] {new RecordBatch(records, fetchedMs)}),
        first.leaderEpoch());
  }

  /** Returns the batch in these headers; null for a record that is not joined. */
  static RecordBatch of(Headers headers) {
    return headers.lastHeader(KEY) instanceof RecordBatch batch ? batch : null;
  }

  List<ConsumerRecord<byte[], byte[]>> records() {
    return records;
  }

  long fetchedMs() {
    return fetchedMs;
  }

  void setStreamTimeBefore(long streamTimeMs) {
    streamTimeBeforeMs = streamTimeMs;
  }

  /** Newest record time of the partition before this batch, epoch ms. */
  long streamTimeBeforeMs() {
    return streamTimeBeforeMs;
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
