package dev.rondo.bench.points;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.Definitions;
import dev.rondo.formats.Naming;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.catalog.DecoderSettings;
import dev.rondo.formats.catalog.Format;
import dev.rondo.formats.metrictank.MetrictankDecoder;
import dev.rondo.topology.decode.TimeLimits;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.Optional;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Cost of a point in metrictank's messages, one per record, of 10 000 series with 4 tags whose ids
 * are known.
 *
 * <pre>
 *   benchmark     B allocated a point
 *   decode                       1305
 *   metricData                   3592   the whole step, as are those of a point
 *   metricPoint                  3062
 *
 *   ./rondo bench points -f 1 -wi 1 -w 1 -i 2 -r 1 Metrictank
 *   OpenJDK 17.0.15, 2026-11-28, a machine too busy for times.
 * </pre>
 */
public class MetrictankBenchmark extends NanosBenchmark {
  private static final int SERIES = 10_000;

  private final byte[][] data = new byte[SERIES][];
  private final byte[][] points = new byte[SERIES][];
  private final Decoder decoder = new MetrictankDecoder(new Naming(1024, 64), Definitions.NONE);
  private DecodeStep step;

  /** Creates the records, and a step that knows all ids. */
  @Setup
  public void write(Blackhole hole) throws IOException {
    Policies policies = PoliciesFile.parse(Policies.DEFAULT_YAML);
    step =
        new DecodeStep(
            Format.METRICTANK,
            new DecoderSettings(1024, 64, Optional.empty(), Optional.empty()),
            new TimeLimits(600_000, 0, () -> policies));
    for (int n = 0; n < SERIES; n++) {
      byte[] id = new byte[16];
      ByteBuffer.wrap(id).putLong(0x9e3779b97f4a7c15L * n).putLong(n);
      data[n] = data(n, id);
      points[n] =
          ByteBuffer.allocate(33)
              .order(ByteOrder.LITTLE_ENDIAN)
              .put((byte) 2)
              .put(id)
              .putDouble(n * 1.371)
              .putInt((int) (DecodeStep.T_MS / 1000))
              .putInt(1)
              .array();
      step.decode(data[n], hole);
    }
  }

  private static byte[] data(int n, byte[] id) throws IOException {
    try (MessageBufferPacker to = MessagePack.newDefaultBufferPacker()) {
      to.packMapHeader(9);
      to.packString("Id").packString("1." + HexFormat.of().formatHex(id));
      to.packString("OrgId").packInt(1);
      to.packString("Name").packString("cpu.core%02d.usage.mean".formatted(n % 16));
      to.packString("Interval").packInt(10);
      to.packString("Value").packDouble(n * 1.371);
      to.packString("Unit").packString("unknown");
      to.packString("Time").packLong(1_700_000_000);
      to.packString("Mtype").packString("gauge");
      to.packString("Tags").packArrayHeader(4);
      to.packString("dc=ams").packString("env=prod");
      to.packString("host=web%05d".formatted(n)).packString("rack=r%02d".formatted(n % 97));
      return to.toByteArray();
    }
  }

  /** MetricData → ident, time, value. */
  @Benchmark
  @OperationsPerInvocation(SERIES)
  public void decode(Blackhole hole) {
    PointSink sink = new Consumed(hole);
    for (byte[] record : data) {
      decoder.decode(record, 0, sink);
    }
  }

  /** The whole step for MetricData whose ids are kept and as before. */
  @Benchmark
  @OperationsPerInvocation(SERIES)
  public void metricData(Blackhole batches) {
    decode(data, batches);
  }

  /** The whole step for MetricPoint. */
  @Benchmark
  @OperationsPerInvocation(SERIES)
  public void metricPoint(Blackhole batches) {
    decode(points, batches);
  }

  private void decode(byte[][] records, Blackhole batches) {
    for (byte[] record : records) {
      step.decode(record, batches);
    }
  }
}
