package dev.rondo.topology.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Any points: against a model that works every slot out from the intervals, and cut anywhere. */
class ConsolidationPropertyTest {
  private static final long STEP_MS = 1_000;
  private static final long HEARTBEAT_MS = 7_000;
  private static final double XFF = 0.4;
  private static final List<Archive> ARCHIVES =
      List.of(
          new Archive(ConsolidationFunction.WMEAN, new ArchiveShape(1_000, 1_000), XFF),
          new Archive(ConsolidationFunction.WMEAN, new ArchiveShape(5_000, 1_000), XFF));

  record Sent(long tMs, double value) {}

  @Provide
  Arbitrary<List<Sent>> points() {
    Arbitrary<Long> gaps = Arbitraries.longs().between(-500, 9_000);
    Arbitrary<Double> values = Arbitraries.doubles().between(-1e6, 1e6).ofScale(3);
    return Combinators.combine(gaps, values)
        .as(Sent::new)
        .list()
        .ofMaxSize(60)
        .map(ConsolidationPropertyTest::atTimes);
  }

  private static List<Sent> atTimes(List<Sent> gaps) {
    List<Sent> points = new ArrayList<>();
    long tMs = 100_000;
    for (Sent gap : gaps) {
      tMs += gap.tMs();
      points.add(new Sent(tMs, gap.value()));
    }
    return points;
  }

  @Property
  void shouldMatchTheModel(@ForAll("points") List<Sent> points) {
    Told told = new Told();
    OpenSlots slots = new OpenSlots(STEP_MS, HEARTBEAT_MS, ARCHIVES, 1);
    points.forEach(point -> slots.add(0, point.tMs(), point.value(), told));
    assertSame(told.firstArchive, model(points, 1_000));
    assertSame(told.secondArchive, model(points, 5_000));
  }

  @Property
  void shouldGiveTheSameSlotsHoweverTheInputIsCut(
      @ForAll("points") List<Sent> points, @ForAll @IntRange(max = 60) int cut) throws IOException {
    Told whole = new Told();
    OpenSlots slots = new OpenSlots(STEP_MS, HEARTBEAT_MS, ARCHIVES, 1);
    points.forEach(point -> slots.add(0, point.tMs(), point.value(), whole));

    Told inTwo = new Told();
    OpenSlots before = new OpenSlots(STEP_MS, HEARTBEAT_MS, ARCHIVES, 1);
    int at = Math.min(cut, points.size());
    points.subList(0, at).forEach(p -> before.add(0, p.tMs(), p.value(), inTwo));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    OpenSlotsCodec.write(before, new DataOutputStream(bytes));
    OpenSlots after = new OpenSlots(STEP_MS, HEARTBEAT_MS, ARCHIVES, 1);
    OpenSlotsCodec.read(after, new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    points.subList(at, points.size()).forEach(p -> after.add(0, p.tMs(), p.value(), inTwo));
    assertThat(inTwo.inOrder).isEqualTo(whole.inOrder);
  }

  /** Every slot that ended by the last point: mean over the known milliseconds of it. */
  private static Map<Long, Double> model(List<Sent> points, long stepMs) {
    Map<Long, double[]> sums = new TreeMap<>();
    long lastMs = Long.MIN_VALUE;
    for (Sent point : points) {
      if (lastMs != Long.MIN_VALUE && point.tMs() > lastMs) {
        if (point.tMs() - lastMs <= HEARTBEAT_MS) {
          for (long ms = lastMs; ms < point.tMs(); ms++) {
            double[] sum = sums.computeIfAbsent((ms / stepMs + 1) * stepMs, e -> new double[2]);
            sum[0] += point.value();
            sum[1]++;
          }
        }
      }
      lastMs = Math.max(lastMs, point.tMs());
    }
    long newestMs = lastMs;
    Map<Long, Double> slots = new TreeMap<>();
    sums.forEach(
        (endMs, sum) -> {
          if (endMs <= newestMs && sum[1] >= XFF * stepMs) {
            slots.put(endMs, sum[0] / sum[1]);
          }
        });
    return slots;
  }

  private static void assertSame(Map<Long, Double> told, Map<Long, Double> model) {
    assertThat(told.keySet()).isEqualTo(model.keySet());
    model.forEach(
        (endMs, value) ->
            assertThat(told.get(endMs))
                .isCloseTo(value, org.assertj.core.data.Offset.offset(1e-6)));
  }
}
