package dev.rondo.topology.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.schemas.Point;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * Records of few series and of wild times, many of them written at about the same time: the merge,
 * beside the rule in its plainest words.
 */
class SourceMergePropertyTest {
  private static final List<ByteBuffer> SOURCES =
      IntStream.range(0, 3).mapToObj(n -> "s" + n).map(SourceMergePropertyTest::source).toList();

  private static final Comparator<Batch> BY_WRITING =
      Comparator.comparingLong(Batch::writtenMs)
          .thenComparing(Batch::source)
          .thenComparingLong(Batch::sequence);

  private static ByteBuffer source(String name) {
    return ByteBuffer.wrap(name.getBytes(StandardCharsets.UTF_8));
  }

  /** A record, {@code afterMs} behind the one before it, whatever source that is of. */
  private record Written(int source, long afterMs, List<Point> points) {}

  @Provide
  Arbitrary<List<Written>> records() {
    Arbitrary<Point> point =
        Combinators.combine(
                Arbitraries.of("a", "b", "c", "d", "e", "f", "g", "h"),
                Arbitraries.longs().between(0, 40))
            .as((ident, t) -> new Point(ident, t * 1000, 0.0));
    return Combinators.combine(
            Arbitraries.integers().between(0, 2),
            Arbitraries.frequencyOf(
                Tuple.of(9, Arbitraries.just(0L)),
                Tuple.of(1, Arbitraries.longs().between(1, 400))),
            point.list().ofMinSize(1).ofMaxSize(3))
        .as(Written::new)
        .list()
        .ofMaxSize(250);
  }

  /** Numbered as they were written: the order within a source is that of its numbers. */
  private static List<Batch> batches(List<Written> records) {
    List<Batch> batches = new ArrayList<>();
    long writtenMs = 0;
    for (Written record : records) {
      writtenMs += record.afterMs();
      batches.add(
          new Batch(batches.size(), SOURCES.get(record.source()), writtenMs, "", record.points()));
    }
    return batches;
  }

  @Property(tries = 300)
  void shouldLeaveByTheRuleHoweverFastEachSourceIsRead(
      @ForAll("records") List<Written> records, @ForAll long seed) {
    List<Batch> batches = batches(records);
    assertThat(readAtAnyPace(batches, new Random(seed))).isEqualTo(numbers(byTheRule(batches)));
  }

  @Property(tries = 300)
  void shouldKeepTheOrderOfItsPartitionForEachSeries(
      @ForAll("records") List<Written> records, @ForAll long seed) {
    List<Batch> batches = batches(records);
    List<Long> order = readAtAnyPace(batches, new Random(seed));
    for (ByteBuffer source : SOURCES) {
      for (String series : series(batches)) {
        assertThat(order)
            .as("series %s of source %s", series, source)
            .filteredOn(
                number -> {
                  Batch batch = batches.get(number.intValue());
                  return batch.source().equals(source) && series(List.of(batch)).contains(series);
                })
            .isSorted();
      }
    }
  }

  private static Set<String> series(List<Batch> batches) {
    return batches.stream()
        .flatMap(batch -> batch.points().stream())
        .map(Point::getIdent)
        .collect(Collectors.toSet());
  }

  private static List<Long> numbers(List<Batch> batches) {
    return batches.stream().map(Batch::sequence).toList();
  }

  /**
   * Of those within half a second of the earliest the one of the earliest points is next; a series
   * goes on no earlier than its partition does.
   */
  private static List<Batch> byTheRule(List<Batch> batches) {
    Map<Batch, Long> pointsMs = new HashMap<>();
    for (Batch batch : batches) {
      long notBeforeMs =
          before(batch, batches).stream().mapToLong(pointsMs::get).max().orElse(Long.MIN_VALUE);
      pointsMs.put(batch, Math.max(batch.firstMs(), notBeforeMs));
    }
    List<Batch> waiting = new ArrayList<>(batches);
    List<Batch> left = new ArrayList<>();
    while (!waiting.isEmpty()) {
      long untilMs = waiting.stream().min(BY_WRITING).orElseThrow().writtenMs() + 500;
      Batch next =
          waiting.stream()
              .filter(batch -> batch.writtenMs() <= untilMs)
              .min(Comparator.<Batch>comparingLong(pointsMs::get).thenComparing(BY_WRITING))
              .orElseThrow();
      waiting.remove(next);
      left.add(next);
    }
    return left;
  }

  /** Those of its source within half a second before it that share a series with it. */
  private static List<Batch> before(Batch batch, List<Batch> batches) {
    return batches.stream()
        .filter(other -> other.source().equals(batch.source()))
        .filter(other -> other.sequence() < batch.sequence())
        .filter(other -> other.writtenMs() + 500 >= batch.writtenMs())
        .filter(other -> !Collections.disjoint(series(List.of(other)), series(List.of(batch))))
        .toList();
  }

  private static List<Long> readAtAnyPace(List<Batch> batches, Random random) {
    SourceMerge merge = new SourceMerge(SOURCES, id -> true, 30_000, WaitingRoom.of(100_000), 0);
    List<List<Batch>> unread =
        SOURCES.stream()
            .map(source -> batches.stream().filter(b -> b.source().equals(source)).toList())
            .map(ofSource -> (List<Batch>) new ArrayList<>(ofSource))
            .toList();
    List<Long> out = new ArrayList<>();
    for (int left = batches.size(); left > 0; ) {
      List<Batch> source = unread.get(random.nextInt(unread.size()));
      if (!source.isEmpty()) {
        merge.add(source.remove(0), 0);
        left--;
      }
      if (random.nextInt(4) == 0) {
        merge.release(batch -> out.add(batch.sequence()));
      }
    }
    SOURCES.forEach(id -> merge.complete(id, Long.MAX_VALUE, 0));
    merge.release(batch -> out.add(batch.sequence()));
    return out;
  }
}
