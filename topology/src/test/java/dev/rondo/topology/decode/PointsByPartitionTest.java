package dev.rondo.topology.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.schemas.Point;
import dev.rondo.schemas.Points;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.junit.jupiter.api.Test;

class PointsByPartitionTest {
  private static final int LARGEST_RECORD = 1024 * 1024;

  /** What arrives of one record, in order. */
  private static List<Map.Entry<Integer, Points>> drained(PointsByPartition points) {
    List<Map.Entry<Integer, Points>> batches = new ArrayList<>();
    points.drain("hint", (partition, batch) -> batches.add(Map.entry(partition, batch)));
    return batches;
  }

  @Property(tries = 500)
  void shouldKeepEveryPointAndTheOrderOfItsSeriesInOneRecordAPartition(
      @ForAll("records") List<List<Point>> records, @ForAll @IntRange(min = 1, max = 20) int of) {
    PointsByPartition byPartition = new PointsByPartition(of);
    Map<String, List<Point>> sent = new HashMap<>();
    Map<String, List<Point>> arrived = new HashMap<>();
    for (List<Point> record : records) {
      for (Point point : record) {
        byPartition.add(point.getIdent(), point.getT(), point.getV());
        sent.computeIfAbsent(point.getIdent(), i -> new ArrayList<>()).add(point);
      }
      Set<Integer> partitions = new HashSet<>();
      for (var batch : drained(byPartition)) {
        assertThat(partitions.add(batch.getKey())).as("one record a partition").isTrue();
        assertThat(batch.getValue().getPolicy()).isEqualTo("hint");
        assertThat(batch.getValue().getPoints()).isNotEmpty();
        for (Point point : batch.getValue().getPoints()) {
          assertThat(batch.getKey()).isEqualTo(kafkas(point.getIdent(), of));
          arrived.computeIfAbsent(point.getIdent(), i -> new ArrayList<>()).add(point);
        }
      }
    }
    assertThat(arrived).isEqualTo(sent);
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
  void shouldCutABatchThatWouldOutgrowARecord() {
    PointsByPartition byPartition = new PointsByPartition(1);
    List<Point> sent = new ArrayList<>();
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
                  .serialize("", batch.getValue())
                  .length)
          .isLessThan(LARGEST_RECORD);
      arrived.addAll(batch.getValue().getPoints());
    }
    assertThat(batches).hasSizeGreaterThan(1);
    assertThat(arrived).isEqualTo(sent);
  }
}
