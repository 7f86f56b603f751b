package dev.rondo.topology.clients;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Optional;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Uuid;

/**
 * Stores the id of a topic in the metadata of a committed offset, after the data of Kafka Streams:
 *
 * <pre>
 *   base64( version, 1 B │ stream time, 8 B │ number of entries, 4 B: 0 │ topic id, 16 B )
 *           └──── by Kafka Streams ─────────┘
 * </pre>
 *
 * Kafka Streams ignores bytes after the entries, so it, and releases of Rondo without ids, still
 * read the stream time.
 */
final class CommittedTopicId {
  private static final int WITHOUT_ID = 1 + Long.BYTES;
  private static final int WITH_ID = WITHOUT_ID + Integer.BYTES + 2 * Long.BYTES;

  private CommittedTopicId() {}

  /** Returns the offset with the id; unchanged if its metadata has another form. */
  static OffsetAndMetadata add(OffsetAndMetadata offset, Uuid topicId) {
    byte[] metadata = decode(offset);
    if (metadata.length != WITHOUT_ID) {
      return offset;
    }
    ByteBuffer withId =
        ByteBuffer.allocate(WITH_ID)
            .put(metadata)
            .putInt(0)
            .putLong(topicId.getMostSignificantBits())
            .putLong(topicId.getLeastSignificantBits());
    return new OffsetAndMetadata(
        offset.offset(), offset.leaderEpoch(), Base64.getEncoder().encodeToString(withId.array()));
  }

  /** Returns the id; empty if an earlier release or another program committed the offset. */
  static Optional<Uuid> of(OffsetAndMetadata offset) {
    byte[] metadata = decode(offset);
    if (metadata.length != WITH_ID) {
      return Optional.empty();
    }
    ByteBuffer id = ByteBuffer.wrap(metadata, WITHOUT_ID + Integer.BYTES, 2 * Long.BYTES);
    return Optional.of(new Uuid(id.getLong(), id.getLong()));
  }

  private static byte[] decode(OffsetAndMetadata offset) {
    try {
      return Base64.getDecoder().decode(offset.metadata());
    } catch (IllegalArgumentException e) { // not from Kafka Streams
      return new byte[0];
    }
  }
}
