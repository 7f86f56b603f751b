package dev.rondo.topology.consolidate;

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
 * Bytes of a {@link Segment}: format version, replay epoch, policy, width, open slots, reorder
 * window, history of the positions, buffered rows, and which of its series are silent.
 */
final class SegmentCodec {

  private final Policies policies;
  private final long maxLingerMs;
  private final int replayEpoch;
  private final TaskMemory memory;
  private final ArrivalTimes arrivals = new ArrivalTimes();
  private final FormatVersion format;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(64 * 1024);

  /** Writes the newest format. */
  SegmentCodec(Policies policies, long maxLingerMs, int replayEpoch, TaskMemory memory) {
    this(policies, maxLingerMs, replayEpoch, memory, FormatVersion.NEWEST);
  }

  /** For the segments of one task: those made and read have seen the replay {@code replayEpoch}. */
  SegmentCodec(
      Policies policies,
      long maxLingerMs,
      int replayEpoch,
      TaskMemory memory,
      FormatVersion format) {
    this.memory = memory;
    this.format = format;
    this.policies = policies;
    this.maxLingerMs = maxLingerMs;
    this.replayEpoch = replayEpoch;
  }

  /** The policy of this name; empty where the policies file lacks it. */
  Optional<Policy> policy(String name) {
    return policies.named(name);
  }

  /** What the task holds of the instance's memory. */
  TaskMemory memory() {
    return memory;
  }

  /** How long points have kept coming to the task. */
  ArrivalTimes arrivals() {
    return arrivals;
  }

  Segment create(int number, Policy policy, int width) {
    return create(number, policy, width, replayEpoch);
  }

  private Segment create(int number, Policy policy, int width, int epoch) {
    return new Segment(number, policy, width, maxLingerMs, memory, arrivals.of(policy), epoch);
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
      segment.rows.forEach((archive, endMs, values) -> writeRow(archive, endMs, values, out));
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

  /** The others have been heard just now, as far as it matters. */
  private static void writeSilent(Segment segment, DataOutputStream out) throws IOException {
    ArrivalTime arrival = segment.arrival();
    arrival.wrote();
    out.writeLong(arrival.ms());
    for (int series = 0; series < segment.width(); series++) {
      if (segment.lastSeenArrivalMs(series) < arrival.ms() - arrival.mostMs()) {
        out.writeInt(series);
        out.writeLong(segment.lastSeenArrivalMs(series));
      }
    }
    out.writeInt(-1);
  }

  private static void readSilent(Segment segment, DataInput in) throws IOException {
    long arrivalMs = in.readLong();
    segment.arrival().restore(arrivalMs);
    for (int series = 0; series < segment.width(); series++) {
      segment.restoreLastSeen(series, arrivalMs);
    }
    for (int series = in.readInt(); series >= 0; series = in.readInt()) {
      segment.restoreLastSeen(series, in.readLong());
    }
  }

  /**
   * Reads a segment; empty where its policy is gone from the policies file. One that has not seen
   * the replay yet is rewound.
   *
   * @param wallMs the clock, epoch ms: the linger of buffered rows starts anew
   */
  Optional<Segment> read(int number, byte[] bytes, long wallMs) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      FormatVersion.ofSegment(number, in.readByte());
      int epoch = in.readInt();
      Optional<Policy> policy = policies.named(in.readUTF());
      if (policy.isEmpty()) {
        return Optional.empty();
      }
      Segment segment = create(number, policy.get(), in.readInt(), epoch);
      int[] locations = OpenSlotsCodec.read(segment.slots, in, segment.history::rewind);
      ReorderWindowCodec.read(segment.window, in);
      segment.history.read(in);
      readRows(segment, locations, wallMs, in);
      readSilent(segment, in);
      if (epoch < replayEpoch) {
        segment.rewind(replayEpoch);
      }
      segment.countWindow();
      return Optional.of(segment);
    } catch (IOException e) {
      throw new SerializationException("segment " + number + " is cut short", e);
    }
  }

  private static void readRows(Segment segment, int[] locations, long wallMs, DataInput in)
      throws IOException {
    for (int archive = in.readByte(); archive >= 0; archive = in.readByte()) {
      long endMs = in.readLong();
      double[] values = new double[in.readInt()];
      for (int position = 0; position < values.length; position++) {
        values[position] = in.readDouble();
      }
      if (locations[archive] >= 0) {
        segment.rows.restore(locations[archive], endMs, values, endMs, wallMs);
      }
    }
  }
}
