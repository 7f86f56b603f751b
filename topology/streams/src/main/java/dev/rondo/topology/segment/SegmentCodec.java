package dev.rondo.topology.segment;

import dev.rondo.schemas.Ident;
import dev.rondo.topology.archive.OpenSlotsCodec;
import dev.rondo.topology.archive.ReorderWindowCodec;
import dev.rondo.topology.config.FormatVersion;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.Policy;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.kafka.common.errors.SerializationException;

/**
 * Serializes a {@link Segment}: format version, replay epoch, policy, width, open slots, reorder
 * window, history of positions, buffered rows, and silent series.
 */
public final class SegmentCodec {
  private Policies policies;
  private final int replayEpoch;
  private final SegmentContext task;
  private final FormatVersion format;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(64 * 1024);

  /**
   * @param replayEpoch latest replay; older segments are rewound when they are read
   * @param format format of written segments
   */
  public SegmentCodec(
      Policies policies, int replayEpoch, SegmentContext task, FormatVersion format) {
    this.policies = policies;
    this.replayEpoch = replayEpoch;
    this.task = task;
    this.format = format;
  }

  public void use(Policies policies) {
    this.policies = policies;
  }

  /** Returns the policy of this name; empty if there is none or it drops its series. */
  public Optional<Policy> policy(String name) {
    return policies.storing(name);
  }

  /** Whether the first policy that matches the series drops it. */
  public boolean drops(String ident) {
    return policies.haveDropping() && policies.drop(Ident.parse(ident));
  }

  /** Memory of the instance that the task uses. */
  public TaskMemory memory() {
    return task.memory();
  }

  public Segment create(int number, Policy policy, int width) {
    return new Segment(number, policy, width, task, replayEpoch);
  }

  byte[] write(Segment segment) {
    bytes.reset();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(format.segment());
      out.writeInt(segment.replayEpoch());
      out.writeUTF(segment.policy().name());
      out.writeInt(segment.width());
      OpenSlotsCodec.write(segment.slots, out);
      ReorderWindowCodec.write(segment.window, out);
      segment.history.write(out);
      segment.rows.forEach(
          (archive, endMs, values, arrival) -> writeRow(archive, endMs, values, out));
      out.writeByte(-1);
      writeSilent(segment, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // never: it writes to memory
    }
    return bytes.toByteArray();
  }

  private static void writeRow(int archive, long endMs, double[] values, DataOutputStream out) {
    try {
      out.writeByte(archive);
      out.writeLong(endMs);
      out.writeInt(values.length);
      ByteBuffer bytes = ByteBuffer.allocate(values.length * Double.BYTES);
      bytes.asDoubleBuffer().put(values);
      out.write(bytes.array());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // never: it writes to memory
    }
  }

  /** Writes when silent series were last seen; the others are read as just seen. */
  private static void writeSilent(Segment segment, DataOutputStream out) throws IOException {
    SilenceClock silence = segment.silence();
    silence.written();
    out.writeLong(silence.ms());
    for (int series = 0; series < segment.width(); series++) {
      long seenMs = segment.lastSeen.seenMs(series);
      if (seenMs < silence.ms() - silence.maxAdvanceMs()) {
        out.writeInt(series);
        out.writeLong(seenMs);
      }
    }
    out.writeInt(-1);
  }

  private static void readSilent(Segment segment, DataInput in) throws IOException {
    long silenceMs = in.readLong();
    segment.silence().restore(silenceMs);
    for (int series = 0; series < segment.width(); series++) {
      segment.lastSeen.restore(series, silenceMs);
    }
    for (int series = in.readInt(); series >= 0; series = in.readInt()) {
      segment.lastSeen.restore(series, in.readLong());
    }
  }

  /**
   * Reads a segment, and rewinds it if it is older than the latest replay. Empty if its policy does
   * not exist. The linger time of buffered rows restarts.
   */
  Optional<Segment> read(int number, byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      FormatVersion.ofSegment(number, in.readByte());
      int epoch = in.readInt();
      Optional<Policy> policy = policies.storing(in.readUTF());
      if (policy.isEmpty()) {
        return Optional.empty();
      }
      Segment segment = new Segment(number, policy.get(), in.readInt(), task, epoch);
      int[] archiveIndexes = OpenSlotsCodec.read(segment.slots, in, segment.history::rewind);
      ReorderWindowCodec.read(segment.window, in);
      segment.history.read(in);
      readRows(segment, archiveIndexes, task.clock().nowMs(), in);
      readSilent(segment, in);
      if (epoch < replayEpoch) {
        segment.rewind(replayEpoch);
      }
      segment.restored();
      return Optional.of(segment);
    } catch (IOException e) {
      throw new SerializationException("segment " + number + " is cut short", e);
    }
  }

  private static void readRows(Segment segment, int[] archiveIndexes, long nowMs, DataInput in)
      throws IOException {
    for (int archive = in.readByte(); archive >= 0; archive = in.readByte()) {
      long endMs = in.readLong();
      double[] values = new double[in.readInt()];
      for (int position = 0; position < values.length; position++) {
        values[position] = in.readDouble();
      }
      if (archiveIndexes[archive] >= 0) {
        segment.rows.restore(archiveIndexes[archive], endMs, values, endMs, nowMs, null);
      }
    }
  }
}
