package dev.rondo.topology.consolidate;

import dev.rondo.schemas.Point;
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
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.errors.SerializationException;

/**
 * Serializes buffered batches in Avro's binary encoding of numbers and strings.
 *
 * <pre>
 *   batches   format 1 B │ replay epoch │ batch …
 *   batch     sequence │ offset │ stream time │ source: index, bytes if it is new │ policy │
 *             number of points │ point …
 *   point     ident │ time │ value 8 B
 *   released  per group of batches: sequence of its first point 8 B │ length 4 B, bits
 * </pre>
 *
 * <p>Sequence, offset and stream time are differences from the batch before; times of points are
 * differences from the stream time of their batch.
 */
final class MergeBufferCodec {
  private static final Batch NONE = new Batch(0, ByteBuffer.allocate(0), 0, 0, "", List.of());

  /** Batches written together. */
  record Written(int replayEpoch, List<Batch> batches) {}

  private MergeBufferCodec() {}

  /**
   * Writes as many of the first {@code batches} as fit into {@code maxBytes}, but at least one.
   * Returns their number.
   */
  static int writeFirst(
      List<Batch> batches,
      int replayEpoch,
      int maxBytes,
      FormatVersion format,
      ByteArrayOutputStream bytes) {
    bytes.write(format.mergeBuffer());
    BinaryEncoder out = EncoderFactory.get().binaryEncoder(bytes, null);
    Map<ByteBuffer, Integer> sources = new HashMap<>();
    Batch before = NONE;
    int count = 0;
    try {
      out.writeInt(replayEpoch);
      do {
        Batch batch = batches.get(count++);
        write(batch, before, sources, out);
        before = batch;
      } while (count < batches.size() && bytes.size() + out.bytesBuffered() < maxBytes);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // into memory
    }
    return count;
  }

  private static void write(
      Batch batch, Batch before, Map<ByteBuffer, Integer> sources, BinaryEncoder out)
      throws IOException {
    out.writeLong(batch.sequence() - before.sequence());
    out.writeLong(batch.offset() - before.offset());
    out.writeLong(batch.streamTimeMs() - before.streamTimeMs());
    Integer known = sources.putIfAbsent(batch.source(), sources.size());
    out.writeInt(known == null ? sources.size() - 1 : known);
    if (known == null) {
      out.writeBytes(batch.source().array());
    }
    out.writeString(batch.policy());
    out.writeInt(batch.points().size());
    for (Point point : batch.points()) {
      out.writeString(point.getIdent());
      out.writeLong(point.getT() - batch.streamTimeMs());
      out.writeDouble(point.getV());
    }
  }

  private static void writeBytes(byte[] bytes, DataOutputStream out) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /**
   * Reads what {@link #writeFirst} wrote.
   *
   * @throws SerializationException if a later release wrote it
   */
  static Written read(byte[] bytes) {
    FormatVersion.ofMergeBuffer(bytes[0]);
    BinaryDecoder in = DecoderFactory.get().binaryDecoder(bytes, 1, bytes.length - 1, null);
    List<ByteBuffer> sources = new ArrayList<>();
    List<Batch> batches = new ArrayList<>();
    Batch before = NONE;
    try {
      int replayEpoch = in.readInt();
      while (!in.isEnd()) {
        before = read(before, sources, in);
        batches.add(before);
      }
      return new Written(replayEpoch, batches);
    } catch (IOException e) {
      throw new SerializationException("buffered batches are cut short", e);
    }
  }

  private static Batch read(Batch before, List<ByteBuffer> sources, BinaryDecoder in)
      throws IOException {
    long sequence = before.sequence() + in.readLong();
    long offset = before.offset() + in.readLong();
    long streamTimeMs = before.streamTimeMs() + in.readLong();
    int source = in.readInt();
    if (source == sources.size()) {
      sources.add(in.readBytes(null));
    }
    String policy = in.readString();
    int count = in.readInt();
    List<Point> points = new ArrayList<>(count);
    for (int n = 0; n < count; n++) {
      points.add(new Point(in.readString(), streamTimeMs + in.readLong(), in.readDouble()));
    }
    return new Batch(sequence, sources.get(source), offset, streamTimeMs, policy, points);
  }

  private static byte[] bytes(ByteBuffer in, int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  /** Writes the released points of each group, by the sequence of its first point. */
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
