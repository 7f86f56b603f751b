package dev.rondo.topology.order;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.TopicPartition;

/** Source partitions as they are named in a header of the by-series topic. */
public final class Sources {
  /** The source partition that the points of a record come from. */
  public static final String SOURCE_HEADER = "source";

  /**
   * Until when that partition has been decoded: epoch ms of writing, 8 bytes; no points with it.
   */
  public static final String COMPLETE_HEADER = "complete";

  private Sources() {}

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
