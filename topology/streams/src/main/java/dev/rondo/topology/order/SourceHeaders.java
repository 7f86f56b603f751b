package dev.rondo.topology.order;

import dev.rondo.schemas.Point;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Headers of the by-series topic: source partitions, their progress, their records. */
public final class SourceHeaders {
  /** Source partition of the points of a record. */
  public static final String SOURCE_HEADER = "source";

  /**
   * Progress of the source partition in the preceding header: the fields of {@link Progress}, 8
   * bytes each. One record may report many partitions; it holds no points.
   */
  public static final String PROGRESS_HEADER = "progress";

  /** Which points came from which source record: bytes of {@link SourceRecords}. */
  public static final String RECORDS_HEADER = "records";

  private SourceHeaders() {}

  /** Returns headers for a record of points of one source partition. */
  public static Headers of(byte[] id, byte[] records) {
    return new RecordHeaders().add(SOURCE_HEADER, id).add(RECORDS_HEADER, records);
  }

  /**
   * Passes the points of each source record to {@code sink}. Returns the progress of the source
   * after the last one.
   */
  public static Progress forEachRecord(
      Headers headers, List<Point> points, SourceRecords.Sink sink) {
    return SourceRecords.forEach(headers.lastHeader(RECORDS_HEADER).value(), points, sink);
  }

  /**
   * Returns the position of the first source record, and the newest record time up to it; {@link
   * Progress#NONE} if unknown.
   */
  public static Progress first(Headers headers) {
    Header records = headers.lastHeader(RECORDS_HEADER);
    return records == null ? Progress.NONE : SourceRecords.first(records.value());
  }

  /** Adds the progress of a source partition. */
  public static void addProgress(Headers headers, byte[] id, Progress progress) {
    headers.add(SOURCE_HEADER, id);
    headers.add(
        PROGRESS_HEADER,
        ByteBuffer.allocate(3 * Long.BYTES)
            .putLong(progress.position())
            .putLong(progress.streamTimeMs())
            .putLong(progress.disorderMs())
            .array());
  }

  /** Whether the record reports progress instead of holding points. */
  public static boolean holdProgress(Headers headers) {
    return headers.lastHeader(PROGRESS_HEADER) != null;
  }

  /** Passes each source partition and its progress to {@code sink}. */
  public static void forEachProgress(Headers headers, BiConsumer<byte[], Progress> sink) {
    byte[] id = null;
    for (Header header : headers) {
      switch (header.key()) {
        case SOURCE_HEADER -> id = header.value();
        case PROGRESS_HEADER -> {
          ByteBuffer fields = ByteBuffer.wrap(header.value());
          sink.accept(id, new Progress(fields.getLong(), fields.getLong(), fields.getLong()));
        }
        default -> {}
      }
    }
  }

  /** Returns the topic of an {@link #id}. */
  public static String topic(ByteBuffer id) {
    return partition(id).topic();
  }

  /** Returns the partition of an {@link #id}. */
  public static TopicPartition partition(ByteBuffer id) {
    int topicBytes = id.limit() - Integer.BYTES;
    String topic = StandardCharsets.UTF_8.decode(id.slice(0, topicBytes)).toString();
    return new TopicPartition(topic, id.getInt(topicBytes));
  }

  /** Returns the id of a source partition: topic name, then partition as int32. */
  public static byte[] id(TopicPartition partition) {
    byte[] topic = partition.topic().getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(topic.length + Integer.BYTES)
        .put(topic)
        .putInt(partition.partition())
        .array();
  }
}
