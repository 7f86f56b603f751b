package dev.rondo.topology.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.schemas.Point;
import dev.rondo.schemas.Points;
import dev.rondo.topology.order.Progress;
import dev.rondo.topology.order.SourceHeaders;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.api.Test;

class PointsByPartitionTest {
  private static final int LARGEST_RECORD = 1024 * 1024;
  private static final Progress PROGRESS = new Progress(1_000, 5_000, 7);

  /** A record of the by-series topic. */
  private record Sent(int partition, Points points, Headers headers, long writtenMs) {}

  private static List<Sent> drained(PointsByPartition points) {
    List<Sent> batches = new ArrayList<>();
    points.drain(
        "hint",
        PROGRESS,
        (partition, batch, writtenMs, records) ->
            batches.add(
                new Sent(partition, batch, SourceHeaders.of(new byte[0], records), writtenMs)));
    return batches;
  }

  /** Times between records may be negative. */
  @Property(tries = 500)
  void shouldKeepEveryPointInItsRecordAndTheOrderOfItsSeries(
      @ForAll("records") List<List<Point>> records,
      @ForAll @Size(5) List<@LongRange(min = -20, max = 500) Long> afterMs,
      @ForAll @IntRange(min = 1, max = 20) int of) {
    PointsByPartition byPartition = new PointsByPartition(of);
    Map<Integer, List<Map.Entry<Long, List<Point>>>> sent = new HashMap<>();
    long writtenMs = 1_000;
    for (int n = 0; n < records.size(); n++) {
      writtenMs += afterMs.get(n);
      byPartition.begin(n, writtenMs, writtenMs);
      Map<Integer, List<Point>> ofRecord = new HashMap<>();
      for (Point point : records.get(n)) {
        byPartition.add(point.getIdent(), point.getT(), point.getV());
        ofRecord.computeIfAbsent(kafkas(point.getIdent(), of), p -> new ArrayList<>()).add(point);
      }
      long ms = writtenMs;
      ofRecord.forEach(
          (p, points) ->
              sent.computeIfAbsent(p, k -> new ArrayList<>()).add(Map.entry(ms, points)));
    }
    Map<Integer, List<Map.Entry<Long, List<Point>>>> arrived = new HashMap<>();
    for (Sent batch : drained(byPartition)) {
      assertThat(arrived).as("one record a partition").doesNotContainKey(batch.partition());
      assertThat(batch.points().getPolicy()).isEqualTo("hint");
      List<Map.Entry<Long, List<Point>>> those = new ArrayList<>();
      Progress progress =
          SourceHeaders.forEachRecord(
              batch.headers(),
              batch.points().getPoints(),
              (offset, ms, points) -> those.add(Map.entry(ms, points)));
      assertThat(progress).isEqualTo(PROGRESS);
      arrived.put(batch.partition(), those);
    }
    assertThat(arrived).isEqualTo(sent);
    assertThat(drained(byPartition)).as("no batch is passed on twice").isEmpty();
  }

  private static long position(Sent batch) {
    return SourceHeaders.forEachRecord(
            batch.headers(), batch.points().getPoints(), (offset, ms, points) -> {})
        .position();
  }

  private static int kafkas(String ident, int partitions) {
    return BuiltInPartitioner.partitionForKey(ident.getBytes(UTF_8), partitions);
  }

  @Provide
  Arbitrary<List<List<Point>>> records() {
    Arbitrary<String> idents = Arbitraries.of("a", "b.c", "d;k=v", "größe", "e", "f", "g", "h");
    return Combinators.combine(idents, Arbitraries.longs(), Arbitraries.doubles())
        .as(Point::new)
        .list()
        .ofMaxSize(40)
        .list()
        .ofMaxSize(5);
  }

  @Test
  void shouldSplitABatchThatWouldExceedARecord() {
    PointsByPartition byPartition = new PointsByPartition(1);
    List<Point> sent = new ArrayList<>();
    byPartition.begin(0, 0, 0);
    for (int n = 0; n < 3_000; n++) {
      Point point = new Point("n" + n + "x".repeat(500), (long) n, 1.0);
      sent.add(point);
      byPartition.add(point.getIdent(), point.getT(), point.getV());
    }
    List<Point> arrived = new ArrayList<>();
    var batches = drained(byPartition);
    for (var batch : batches) {
      assertThat(
              dev.rondo.schemas.Topics.POINTS_SERDE
                  .serializer()
                  .serialize("", batch.points())
                  .length)
          .isLessThan(LARGEST_RECORD);
      arrived.addAll(batch.points().getPoints());
    }
    assertThat(batches).hasSizeGreaterThan(1);
    assertThat(batches.stream().map(PointsByPartitionTest::position))
        .as("the points of a later record precede none of its progress")
        .containsExactlyElementsOf(
            Stream.concat(
                    Stream.generate(() -> 0L).limit(batches.size() - 1L),
                    Stream.of(PROGRESS.position()))
                .toList());
    assertThat(arrived).isEqualTo(sent);
  }
}
