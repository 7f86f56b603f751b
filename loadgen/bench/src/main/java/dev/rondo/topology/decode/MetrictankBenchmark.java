package dev.rondo.topology.decode;

import dev.rondo.formats.Consumed;
import dev.rondo.formats.Decoder;
import dev.rondo.formats.Definitions;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.Naming;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.metrictank.MetrictankDecoder;
import dev.rondo.topology.memory.FairMemory;
import dev.rondo.topology.memory.MemoryAccount;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Cost of a point in metrictank's messages, one per record, of 10 000 series with 4 tags whose ids
 * are known.
 *
 * <pre>
 *   benchmark            ns a point   B allocated a point
 *   metricData                 1189                  1280
 *   metricDataWithIds          2273                  1792
 *   metricPoint                1750                  1304
 *
 *   ./rondo bench points -f 1 -wi 3 -w 1 -i 5 -r 1 Metrictank
 *   OpenJDK 17.0.15, 2 busy cores (load 10): the bytes are exact, the times too high.
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 2, jvmArgs = "-Xmx1g")
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class MetrictankBenchmark {
  private static final int SERIES = 10_000;

  private final byte[][] data = new byte[SERIES][];
  private final byte[][] points = new byte[SERIES][];
  private final Decoder forgetful = new MetrictankDecoder(new Naming(1024, 64), Definitions.NONE);
  private Decoder knowing;

  /** Creates the records, and the store with all ids, without a changelog. */
  @Setup
  public void write() throws IOException {
    KeyValueStore<byte[], byte[]> store =
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore("definitions"), Serdes.ByteArray(), Serdes.ByteArray())
            .withLoggingDisabled()
            .build();
    store.init(new MockProcessorContext<>().getStateStoreContext(), store);
    Definitions definitions =
        new DefinitionStore(
                store, System::currentTimeMillis, new FairMemory(MemoryAccount.of(Long.MAX_VALUE)))
            .of("points");
    knowing = new MetrictankDecoder(new Naming(1024, 64), definitions);
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
              .putInt(1_700_000_000)
              .putInt(1)
              .array();
      knowing.decode(data[n], 0, new Nowhere());
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

  /** MetricData, ids not kept. */
  @Benchmark
  @OperationsPerInvocation(SERIES)
  public void metricData(Blackhole hole) {
    decode(forgetful, data, hole);
  }

  /** MetricData, ids kept and as before. */
  @Benchmark
  @OperationsPerInvocation(SERIES)
  public void metricDataWithIds(Blackhole hole) {
    decode(knowing, data, hole);
  }

  /** MetricPoint. */
  @Benchmark
  @OperationsPerInvocation(SERIES)
  public void metricPoint(Blackhole hole) {
    decode(knowing, points, hole);
  }

  private static void decode(Decoder decoder, byte[][] records, Blackhole hole) {
    PointSink sink = new Consumed(hole);
    for (byte[] record : records) {
      decoder.decode(record, 0, sink);
    }
  }

  private record Nowhere() implements PointSink {
    @Override
    public void point(String ident, long tMs, double value, int from, int to) {
      // only its id counts
    }

    @Override
    public void drop(DropReason reason, String detail, int from, int to) {
      throw new IllegalStateException(detail);
    }
  }
}
