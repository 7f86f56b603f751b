package dev.rondo.topology.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Points that arrive in another order, or again from any time, give the same slots. */
class ReplayPropertyTest {
  private static final long REORDER_MS = 3_000;
  private static final long COARSE_MS = 5_000;
  private static final List<Archive> ARCHIVES =
      List.of(
          new Archive(ConsolidationFunction.WMEAN, new ArchiveShape(OneSeries.STEP_MS, 3), 0.4),
          new Archive(ConsolidationFunction.WMEAN, new ArchiveShape(COARSE_MS, 1_000), 0.4));

  @Provide
  Arbitrary<List<Sent>> points() {
    return Sent.points(-500);
  }

  @Provide
  Arbitrary<List<Sent>> pointsInOrder() {
    return Sent.points(1);
  }

  @Provide
  Arbitrary<ConsolidationFunction> finest() {
    return OneSeries.finest();
  }

  private static OneSeries series(ConsolidationFunction finest, long reorderMs, SlotSink sink) {
    return new OneSeries(finest, reorderMs, ARCHIVES, sink);
  }

  @Property
  void shouldNotDependOnTheOrderWithinTheReorderWindow(
      @ForAll("pointsInOrder") List<Sent> points,
      @ForAll long seed,
      @ForAll("finest") ConsolidationFunction finest) {
    Emitted inOrder = new Emitted();
    series(finest, 0, inOrder).addAll(points);

    Emitted reordered = new Emitted();
    OneSeries series = series(finest, REORDER_MS, reordered);
    for (Sent point : delayed(points, seed)) {
      assertThat(series.add(point)).isEqualTo(Verdict.BUFFERED);
    }
    series.releaseAll();
    assertThat(reordered.inOrder).isEqualTo(inOrder.inOrder);
  }

  @Property
  void shouldReplayBitIdenticalSlotsFromAnywhere(
      @ForAll("points") List<Sent> points,
      @ForAll @IntRange(max = 60) int cut,
      @ForAll("finest") ConsolidationFunction finest) {
    Emitted first = new Emitted();
    OneSeries series = series(finest, 0, first);
    List<Verdict> verdicts = points.stream().map(series::add).toList();
    int from =
        IntStream.range(Math.min(cut, points.size()), points.size())
            .filter(n -> verdicts.get(n) == Verdict.STORED || verdicts.get(n) == Verdict.FIRST)
            .findFirst()
            .orElse(points.size());
    List<Sent> replayed = points.subList(from, points.size());

    Emitted second = replay(finest, 0, points, replayed);
    if (!replayed.isEmpty()) {
      long wholeMs = replayed.get(0).tMs() + (finest == ConsolidationFunction.SUM ? 1 : 0);
      assertThat(second.firstArchive)
          .isEqualTo(first.firstArchive.tailMap(wholeMs + OneSeries.STEP_MS));
      assertThat(second.secondArchive).isEqualTo(first.secondArchive.tailMap(wholeMs + COARSE_MS));
    }
  }

  @Property
  void shouldReplayBitIdenticalSlotsBehindAReorderWindow(
      @ForAll("pointsInOrder") List<Sent> points,
      @ForAll long seed,
      @ForAll @IntRange(max = 60) int cut,
      @ForAll("finest") ConsolidationFunction finest) {
    List<Sent> arriving = delayed(points, seed);
    Emitted first = new Emitted();
    OneSeries series = series(finest, REORDER_MS, first);
    series.addAll(arriving);
    series.releaseAll();

    List<Sent> replayed = arriving.subList(Math.min(cut, arriving.size()), arriving.size());
    Emitted second = replay(finest, REORDER_MS, arriving, replayed);
    assertThat(first.firstArchive).containsAllEntriesOf(second.firstArchive);
    assertThat(first.secondArchive).containsAllEntriesOf(second.secondArchive);
  }

  @Property
  void shouldEmitNoOpenSlotThatStartedBeforeTheReplay(
      @ForAll("pointsInOrder") List<Sent> points,
      @ForAll @IntRange(max = 60) int cut,
      @ForAll("finest") ConsolidationFunction finest) {
    List<Sent> replayed = points.subList(Math.min(cut, points.size()), points.size());
    OneSeries series = series(finest, 0, new Emitted());
    series.addAll(points);
    series.rewind();
    for (Sent point : replayed) {
      series.add(point);
      SlotSink shown =
          (archive, one, endMs, value) ->
              assertThat(endMs - ARCHIVES.get(archive).shape().stepMs())
                  .isGreaterThanOrEqualTo(replayed.get(0).tMs());
      series.slots.emitOpen(0, 1, shown);
      series.slots.emitSilent(0, Long.MAX_VALUE, shown);
    }
  }

  /** The slots that a series emits for replayed points, after all points had arrived. */
  private static Emitted replay(
      ConsolidationFunction finest, long reorderMs, List<Sent> points, List<Sent> replayed) {
    Emitted emitted = new Emitted();
    OneSeries series = series(finest, reorderMs, emitted);
    series.addAll(points);
    emitted.forget();
    series.rewind();
    series.restart();
    series.addAll(replayed);
    series.releaseAll();
    return emitted;
  }

  /** The points in arrival order, if each is in flight for less than the window. */
  private static List<Sent> delayed(List<Sent> points, long seed) {
    Random random = new Random(seed);
    TreeMap<Long, List<Sent>> arriving = new TreeMap<>();
    for (Sent point : points) {
      long atMs = point.tMs() + random.nextLong(REORDER_MS);
      arriving.computeIfAbsent(atMs, ms -> new ArrayList<>()).add(point);
    }
    return arriving.values().stream().flatMap(List::stream).toList();
  }
}
