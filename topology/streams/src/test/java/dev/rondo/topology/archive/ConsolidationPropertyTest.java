package dev.rondo.topology.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.assertj.core.data.Offset;

/** Compares random points with a model that computes every slot from intervals, also when cut. */
class ConsolidationPropertyTest {
  private static final long STEP_MS = OneSeries.STEP_MS;
  private static final long COARSE_MS = 5_000;
  private static final long REORDER_MS = 3_000;
  private static final double XFF = 0.4;

  @Provide
  Arbitrary<List<Sent>> points() {
    return Sent.points(-500);
  }

  @Provide
  Arbitrary<ConsolidationFunction> finest() {
    return OneSeries.finest();
  }

  private static List<Archive> archives(double xff) {
    return List.of(
        new Archive(ConsolidationFunction.WMEAN, new ArchiveShape(STEP_MS, 1_000), xff),
        new Archive(ConsolidationFunction.WMEAN, new ArchiveShape(COARSE_MS, 1_000), xff));
  }

  @Property
  void shouldMatchTheModel(@ForAll("points") List<Sent> points) {
    Emitted emitted = new Emitted();
    new OneSeries(ConsolidationFunction.WMEAN, 0, archives(XFF), emitted).addAll(points);
    assertSame(emitted.firstArchive, model(points, STEP_MS));
    assertSame(emitted.secondArchive, model(points, COARSE_MS));
  }

  @Property
  void shouldGiveTheSameSlotsHoweverTheInputIsCut(
      @ForAll("points") List<Sent> points,
      @ForAll @IntRange(max = 60) int cut,
      @ForAll("finest") ConsolidationFunction finest,
      @ForAll boolean isReordered) {
    long reorderMs = isReordered ? REORDER_MS : 0;
    Emitted whole = new Emitted();
    OneSeries series = new OneSeries(finest, reorderMs, archives(XFF), whole);
    series.addAll(points);
    series.releaseAll();

    Emitted inTwo = new Emitted();
    OneSeries restarted = new OneSeries(finest, reorderMs, archives(XFF), inTwo);
    int at = Math.min(cut, points.size());
    restarted.addAll(points.subList(0, at));
    restarted.restart();
    restarted.addAll(points.subList(at, points.size()));
    restarted.releaseAll();
    assertThat(inTwo.inOrder).isEqualTo(whole.inOrder);
  }

  @Property
  void shouldNeverKnowMoreThanTheStep(
      @ForAll("points") List<Sent> points, @ForAll("finest") ConsolidationFunction finest) {
    OneSeries series = new OneSeries(finest, 0, archives(XFF), new Emitted());
    for (Sent point : points) {
      series.add(point);
      assertThat(series.slots.pdpKnownMs[0]).isBetween(0L, STEP_MS);
      assertThat(series.slots.open[1].knownMs[0]).isBetween(0L, COARSE_MS - STEP_MS);
    }
  }

  @Property
  void shouldWeighFinestSlotsByTheirKnownTime(
      @ForAll("points") List<Sent> points, @ForAll("finest") ConsolidationFunction finest) {
    Emitted emitted = new Emitted();
    new OneSeries(finest, 0, archives(0), emitted).addAll(points);
    Map<Long, double[]> known = known(points, STEP_MS);
    Map<Long, double[]> means = new TreeMap<>();
    emitted.firstArchive.forEach(
        (endMs, value) -> {
          double knownMs = finest == ConsolidationFunction.WMEAN ? known.get(endMs)[1] : STEP_MS;
          double[] sum = means.computeIfAbsent(endOf(endMs, COARSE_MS), end -> new double[2]);
          sum[0] += value * knownMs;
          sum[1] += knownMs;
        });
    emitted.secondArchive.forEach(
        (endMs, value) ->
            assertThat(value)
                .isCloseTo(means.get(endMs)[0] / means.get(endMs)[1], Offset.offset(1e-6)));
    means.keySet().removeAll(emitted.secondArchive.keySet());
    assertThat(means).as("only the open coarse slot is not emitted").hasSizeLessThanOrEqualTo(1);
  }

  /** The mean over the known milliseconds of every slot that ended by the last point. */
  private static Map<Long, Double> model(List<Sent> points, long stepMs) {
    long newestMs = points.stream().mapToLong(Sent::tMs).max().orElse(Long.MIN_VALUE);
    Map<Long, Double> slots = new TreeMap<>();
    known(points, stepMs)
        .forEach(
            (endMs, sum) -> {
              if (endMs <= newestMs && sum[1] >= XFF * stepMs) {
                slots.put(endMs, sum[0] / sum[1]);
              }
            });
    return slots;
  }

  /** Sum over the known milliseconds and their number, by end of slot. */
  private static Map<Long, double[]> known(List<Sent> points, long stepMs) {
    Map<Long, double[]> sums = new TreeMap<>();
    long lastMs = Long.MIN_VALUE;
    for (Sent point : points) {
      if (lastMs != Long.MIN_VALUE && point.tMs() - lastMs <= OneSeries.HEARTBEAT_MS) {
        for (long ms = lastMs; ms < point.tMs(); ms++) {
          double[] sum = sums.computeIfAbsent(endOf(ms + 1, stepMs), end -> new double[2]);
          sum[0] += point.value();
          sum[1]++;
        }
      }
      lastMs = Math.max(lastMs, point.tMs());
    }
    return sums;
  }

  private static long endOf(long tMs, long stepMs) {
    return -Math.floorDiv(-tMs, stepMs) * stepMs;
  }

  private static void assertSame(Map<Long, Double> emitted, Map<Long, Double> model) {
    assertThat(emitted.keySet()).isEqualTo(model.keySet());
    model.forEach(
        (endMs, value) -> assertThat(emitted.get(endMs)).isCloseTo(value, Offset.offset(1e-6)));
  }
}
