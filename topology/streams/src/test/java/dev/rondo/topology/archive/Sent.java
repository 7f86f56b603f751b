package dev.rondo.topology.archive;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** A sent point. */
record Sent(long tMs, double value) {
  private static final long BEGIN_MS = 100_000;

  /** Instead of a gap: up to the next end of a slot. */
  private static final long ON_THE_STEP = Long.MAX_VALUE;

  /** Up to 60 points, each {@code leastGapMs} to 9 s after the one before; often on a step. */
  static Arbitrary<List<Sent>> points(long leastGapMs) {
    Arbitrary<Long> gaps =
        Arbitraries.frequencyOf(
            Tuple.of(3, Arbitraries.longs().between(leastGapMs, 9_000)),
            Tuple.of(1, Arbitraries.longs().between(1, 9).map(s -> s * 1_000)),
            Tuple.of(2, Arbitraries.just(ON_THE_STEP)));
    Arbitrary<Double> values = Arbitraries.doubles().between(-1e6, 1e6).ofScale(3);
    return Combinators.combine(gaps, values).as(Sent::new).list().ofMaxSize(60).map(Sent::atTimes);
  }

  private static List<Sent> atTimes(List<Sent> gaps) {
    List<Sent> points = new ArrayList<>();
    long tMs = BEGIN_MS;
    for (Sent gap : gaps) {
      tMs = gap.tMs() == ON_THE_STEP ? Math.floorDiv(tMs, 1_000) * 1_000 + 1_000 : tMs + gap.tMs();
      points.add(new Sent(tMs, gap.value()));
    }
    return points;
  }
}
