package dev.rondo.topology.consolidate;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;

/**
 * Deletion of a series. Stored as the time, 8 bytes, then the source, UTF-8.
 *
 * @param untilMs time up to which points of the series are dropped, epoch ms
 * @param source topic of the series; empty if unknown
 */
record Deletion(long untilMs, String source) {
  static final Serde<Deletion> SERDE =
      Serdes.serdeFrom(
          (topic, deletion) -> deletion == null ? null : deletion.toBytes(),
          (topic, bytes) -> bytes == null ? null : of(bytes));

  private byte[] toBytes() {
    byte[] topic = source.getBytes(UTF_8);
    return ByteBuffer.allocate(Long.BYTES + topic.length).putLong(untilMs).put(topic).array();
  }

  private static Deletion of(byte[] bytes) {
    return new Deletion(
        ByteBuffer.wrap(bytes).getLong(),
        new String(bytes, Long.BYTES, bytes.length - Long.BYTES, UTF_8));
  }
}
