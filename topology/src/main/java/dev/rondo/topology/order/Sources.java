package dev.rondo.topology.order;

import dev.rondo.schemas.Point;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.ObjLongConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Source partitions as they are named in a header of the by-series topic. */
public final class Sources {
  /** The source partition that the points of a record come from. */
  public static final String SOURCE_HEADER = "source";

  /**
   * Until when the source partition of the header before has been decoded: epoch ms of writing, 8
   * bytes. A record may tell so of many; no points with it.
   */
  public static final String COMPLETE_HEADER = "complete";

  /** Which points came in which record of the source: bytes of {@link SourceRecords}. */
  public static final String RECORDS_HEADER = "records";

  private Sources() {}

  /** The headers of points of a source partition. */
  public static Headers of(byte[] id, byte[] records) {
    return new RecordHeaders().add(SOURCE_HEADER, id).add(RECORDS_HEADER, records);
  }

  /** Hands on the points of each record of the source, where that is told; else those of one. */
  public static void forEachRecord(
      Headers headers, long writtenMs, List<Point> points, SourceRecords.Sink sink) {
    Header records = headers.lastHeader(RECORDS_HEADER);
    if (records == null) {
      sink.record(writtenMs, points);
    } else {
      SourceRecords.forEach(records.value(), points, sink);
    }
  }

  /**
   * Adds that a source partition has been decoded, as far as all that was written until {@code
   * untilMs}.
   */
  public static void addComplete(Headers headers, byte[] id, long untilMs) {
    headers.add(SOURCE_HEADER, id);
    headers.add(COMPLETE_HEADER, ByteBuffer.allocate(Long.BYTES).putLong(untilMs).array());
  }

  /** Whether a record tells how far source partitions have been decoded, and holds no points. */
  public static boolean tellsComplete(Headers headers) {
    return headers.lastHeader(COMPLETE_HEADER) != null;
  }

  /** Hands on each source partition and until when it has been decoded, epoch ms of writing. */
  public static void forEachComplete(Headers headers, ObjLongConsumer<byte[]> sink) {
    byte[] id = null;
    for (Header header : headers) {
      switch (header.key()) {
        case SOURCE_HEADER -> id = header.value();
        case COMPLETE_HEADER -> sink.accept(id, ByteBuffer.wrap(header.value()).getLong());
        default -> {}
      }
    }
  }

  /** The topic of an {@link #id}. */
  public static String topic(ByteBuffer id) {
    return StandardCharsets.UTF_8.decode(id.slice(0, id.limit() - Integer.BYTES)).toString();
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
