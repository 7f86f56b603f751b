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

/** Source partitions as they are named in a header of the by-series topic. */
public final class SourceHeaders {
  /** The source partition that the points of a record come from. */
  public static final String SOURCE_HEADER = "source";

  /**
   * How far the source partition of the header before has been decoded: the fields of {@link
   * Progress}, 8 bytes each. A record may say so of many; no points with it.
   */
  public static final String PROGRESS_HEADER = "progress";

  /** Which points came in which record of the source: bytes of {@link SourceRecords}. */
  public static final String RECORDS_HEADER = "records";

  private SourceHeaders() {}

  /** The headers of points of a source partition. */
  public static Headers of(byte[] id, byte[] records) {
    return new RecordHeaders().add(SOURCE_HEADER, id).add(RECORDS_HEADER, records);
  }

  /**
   * Hands on the points of each record of the source. Returns how far it has been decoded with the
   * last one.
   */
  public static Progress forEachRecord(
      Headers headers, List<Point> points, SourceRecords.Sink sink) {
    return SourceRecords.forEach(headers.lastHeader(RECORDS_HEADER).value(), points, sink);
  }

  /** Adds how far a source partition has been decoded. */
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

  /** Whether a record says how far source partitions have been decoded, and holds no points. */
  public static boolean holdProgress(Headers headers) {
    return headers.lastHeader(PROGRESS_HEADER) != null;
  }

  /** Hands on each source partition and how far it has been decoded. */
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

  /** The topic of an {@link #id}. */
  public static String topic(ByteBuffer id) {
    return partition(id).topic();
  }

  /** The partition of an {@link #id}. */
  static TopicPartition partition(ByteBuffer id) {
    int topicBytes = id.limit() - Integer.BYTES;
    String topic = StandardCharsets.UTF_8.decode(id.slice(0, topicBytes)).toString();
    return new TopicPartition(topic, id.getInt(topicBytes));
  }

  /** The topic's name, then the partition, int32. */
  public static byte[] id(TopicPartition partition) {
    byte[] topic = partition.topic().getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(topic.length + Integer.BYTES)
        .put(topic)
        .putInt(partition.partition())
        .array();
  }
}
