package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.schemas.Point;
import dev.rondo.schemas.Points;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.FormatVersion;
import dev.rondo.topology.lag.Lag;
import dev.rondo.topology.memory.FairMemory;
import dev.rondo.topology.memory.MemoryAccount;
import dev.rondo.topology.order.BufferedSeries;
import dev.rondo.topology.order.EndOffsets;
import dev.rondo.topology.order.SourceHeaders;
import dev.rondo.topology.order.SourceMerge;
import dev.rondo.topology.state.HeldBytes;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The memory that the merge counts is close to the heap of its points. */
class MergeMemoryTest {
  private static final int POINTS = 200_000;
  private static final int PARTITIONS = 16;
  private static final int COMMIT = 5_000;

  private final MemoryAccount memory = MemoryAccount.of(Long.MAX_VALUE);
  private final Map<String, BufferedSeries> known = new HashMap<>();
  private MergeBufferStore<BufferedSeries> buffer;

  private static String ident(int series) {
    return "requests;host=web%06d".formatted(series);
  }

  @ParameterizedTest
  @CsvSource({"1, 100000, false", "50, 20000, true"})
  void shouldCountTheHeapOfBufferedPoints(int pointsOfARecord, int series, boolean areKnown) {
    countsTheHeap(pointsOfARecord, series, areKnown);
  }

  @Tag("long")
  @ParameterizedTest
  @CsvSource({
    "1, 300, false",
    "1, 20000, false",
    "50, 20000, false",
    "1, 300, true",
    "1, 100000, true"
  })
  void shouldCountTheHeapInEveryShape(int pointsOfARecord, int series, boolean areKnown) {
    countsTheHeap(pointsOfARecord, series, areKnown);
  }

  private void countsTheHeap(int pointsOfARecord, int series, boolean areKnown) {
    if (areKnown) {
      IntStream.range(0, series)
          .mapToObj(MergeMemoryTest::ident)
          .forEach(ident -> known.put(ident, new BufferedSeries(ident)));
    }
    fill(pointsOfARecord, series); // loads classes and clears what earlier tests have left
    buffer.close();
    buffer = null;
    long empty = heapBytes(); // with what the first use of each class has left
    fill(pointsOfARecord, series);
    long bytes = heapBytes() - empty;
    long counted = memory.bytes();
    assertThat(memory.entries()).isEqualTo(POINTS);
    buffer.close();
    assertThat(counted).isBetween(bytes * 4 / 5, bytes * 2);
    assertThat(memory.bytes()).isZero();
  }

  private void fill(int pointsOfARecord, int series) {
    HeldBytes inner = new HeldBytes("buffer");
    inner.init(new MockProcessorContext<Void, Void>().getStateStoreContext(), inner);
    buffer = new MergeBufferStore<>(inner, inner, FormatVersion.NEWEST);
    buffer.load(
        new SourceMerge<>(
            List.of(),
            id -> true,
            30_000,
            new FairMemory(memory),
            () -> EndOffsets.NONE,
            known::get,
            new Lag(Clock.systemUTC()),
            0),
        true,
        0);
    List<byte[]> sources =
        IntStream.range(0, PARTITIONS)
            .mapToObj(p -> SourceHeaders.id(new TopicPartition("points", p)))
            .toList();
    for (int n = 0; n < POINTS; n += pointsOfARecord) {
      byte[] source = sources.get(n / pointsOfARecord % PARTITIONS);
      buffer.add(source, n, n, "", read(n, pointsOfARecord, series));
      if (n % COMMIT == 0) {
        buffer.flushCache();
      }
    }
    buffer.flushCache();
  }

  /** As a task reads them: a separate string for each ident. */
  private static List<Point> read(int first, int count, int series) {
    var points =
        new Points(
            "",
            IntStream.range(first, first + count)
                .mapToObj(n -> new Point(ident(n % series), 1_000L * n, 0.5 + n))
                .toList());
    byte[] bytes = Topics.POINTS_SERDE.serializer().serialize("points", points);
    return List.copyOf(Topics.POINTS_SERDE.deserializer().deserialize("points", bytes).getPoints());
  }

  private static long heapBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
