package dev.rondo.topology.consolidate;

import dev.rondo.schemas.Points;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.FormatVersion;
import dev.rondo.topology.order.Batch;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.errors.SerializationException;

/**
 * Serializes buffered batches.
 *
 * <pre>
 *   batches   format 1 B │ replay epoch 4 B │ batch …
 *   batch     sequence 8 B │ offset 8 B │ stream time 8 B │ source: length 4 B, bytes │ points: length 4 B, Avro
 *   released  per group of batches: sequence of its first point 8 B │ length 4 B, bits
 * </pre>
 *
 * <p>A source that occurred before is written as the length -1 - its index among the sources so
 * far.
 */
final class MergeBufferCodec {
  private static final String TOPIC = "merge-buffer";

  /** Batches that were written together. */
  record Written(int replayEpoch, List<Batch> batches) {}

  private MergeBufferCodec() {}

  /**
   * Writes as many of the first {@code batches} as fit into {@code maxBytes}, but at least one.
   * Returns how many.
   */
  static int writeFirst(
      List<Batch> batches,
      int replayEpoch,
      int maxBytes,
      FormatVersion format,
      ByteArrayOutputStream bytes) {
    var out = new DataOutputStream(bytes);
    Map<ByteBuffer, Integer> sources = new HashMap<>();
    int count = 0;
    try {
      out.writeByte(format.mergeBuffer());
      out.writeInt(replayEpoch);
      do {
        write(batches.get(count++), sources, out);
      } while (count < batches.size() && bytes.size() < maxBytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // into memory
    }
    return count;
  }

  private static void write(Batch batch, Map<ByteBuffer, Integer> sources, DataOutputStream out)
      throws IOException {
    out.writeLong(batch.sequence());
    out.writeLong(batch.offset());
    out.writeLong(batch.streamTimeMs());
    Integer known = sources.putIfAbsent(batch.source(), sources.size());
    if (known == null) {
      writeBytes(batch.source().array(), out);
    } else {
      out.writeInt(-1 - known);
    }
    var points = new Points(batch.policy(), batch.points());
    writeBytes(Topics.POINTS_SERDE.serializer().serialize(TOPIC, points), out);
  }

  private static void writeBytes(byte[] bytes, DataOutputStream out) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /**
   * Reads what {@link #writeFirst} wrote.
   *
   * @throws SerializationException if a later release has written it
   */
  static Written read(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    FormatVersion.ofMergeBuffer(in.get());
    int replayEpoch = in.getInt();
    List<ByteBuffer> sources = new ArrayList<>();
    List<Batch> batches = new ArrayList<>();
    while (in.hasRemaining()) {
      long sequence = in.getLong();
      long offset = in.getLong();
      long streamTimeMs = in.getLong();
      int length = in.getInt();
      if (length >= 0) {
        sources.add(ByteBuffer.wrap(bytes(in, length)));
      }
      ByteBuffer source = sources.get(length >= 0 ? sources.size() - 1 : -1 - length);
      Points points = Topics.POINTS_SERDE.deserializer().deserialize(TOPIC, bytes(in, in.getInt()));
      batches.add(
          new Batch(
              sequence, source, offset, streamTimeMs, points.getPolicy(), points.getPoints()));
    }
    return new Written(replayEpoch, batches);
  }

  private static byte[] bytes(ByteBuffer in, int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  /** Writes which points have been released, by the sequence of the first in their group. */
  static byte[] writeReleased(Map<Long, BitSet> released) {
    var bytes = new ByteArrayOutputStream();
    try (var out = new DataOutputStream(bytes)) {
      for (Map.Entry<Long, BitSet> entry : released.entrySet()) {
        out.writeLong(entry.getKey());
        writeBytes(entry.getValue().toByteArray(), out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // into memory
    }
    return bytes.toByteArray();
  }

  /** Reads what {@link #writeReleased} wrote. */
  static Map<Long, BitSet> readReleased(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    Map<Long, BitSet> released = new LinkedHashMap<>();
    while (in.hasRemaining()) {
      released.put(in.getLong(), BitSet.valueOf(bytes(in, in.getInt())));
    }
    return released;
  }
}
