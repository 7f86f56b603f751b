package dev.rondo.loadgen.shape;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** For any grid and parameters, a shape sends each point as often and when it should. */
class ShapePropertyTest {
  private static final int TRIES = 200;

  @Property(tries = TRIES)
  void shouldTakeTurnsInOrderAndNoPointBeforeItsTime(@ForAll("runs") Run run) {
    long beforeMs = run.grid.startMs();
    for (long turn = 0; turn < run.grid.points(); turn++) {
      long dueMs = run.shape.dueMs(turn);
      assertThat(dueMs).isGreaterThanOrEqualTo(beforeMs);
      beforeMs = dueMs;
      for (Left left : run.at(turn)) {
        assertThat(left.tMs)
            .isBetween(run.grid.startMs() - run.roundedMs() - run.jumpMs(), dueMs + run.jumpMs());
        assertThat(left.series).isEqualTo((int) (turn % run.grid.series()));
      }
    }
  }

  @Property(tries = TRIES)
  void shouldLetEveryPointLeaveAsOftenAsItsShapeSays(@ForAll("runs") Run run) {
    Map<Long, Integer> times = new HashMap<>();
    run.all().forEach(left -> times.merge(left.ordinal(run.grid), 1, Integer::sum));
    for (long n = 0; n < run.grid.points(); n++) {
      int left = times.getOrDefault(n, 0);
      switch (run.kind) {
        case GAPS -> assertThat(left).isEqualTo(run.isInGap(n) ? 0 : 1);
        case DUPLICATE ->
            assertThat(left).isEqualTo(run.isDrawn(n, Draw.DUPLICATE, "duplicate_share") ? 2 : 1);
        default -> assertThat(left).isEqualTo(1);
      }
    }
    assertThat(times.keySet()).allMatch(n -> n >= 0 && n < run.grid.points());
  }

  @Property(tries = TRIES)
  void shouldKeepASeriesInOrderButForLateAndSwappedPoints(@ForAll("runs") Run run) {
    Map<Integer, Long> ticks = new HashMap<>();
    long lateTicks = run.kind == ShapeKind.LATE ? run.numbers.get("late_ticks").longValue() : 0;
    for (Left left : run.all()) {
      long newest = ticks.getOrDefault(left.series, -1L);
      switch (run.kind) {
        case LATE -> assertThat(left.tick).isGreaterThanOrEqualTo(newest - lateTicks);
        case DISORDER -> assertThat(left.tick).isGreaterThanOrEqualTo(newest - 1);
        case DUPLICATE -> assertThat(left.tick).isGreaterThanOrEqualTo(newest);
        default -> assertThat(left.tick).isGreaterThan(newest);
      }
      ticks.merge(left.series, left.tick, Math::max);
    }
  }

  @Property(tries = TRIES)
  void shouldSendGarbageOnlyInItsShape(@ForAll("runs") Run run) {
    long expected = 0;
    for (long n = 0; run.kind == ShapeKind.GARBAGE && n < run.grid.points(); n++) {
      expected += run.isDrawn(n, Draw.GARBAGE, "garbage_share") ? 1 : 0;
    }
    run.all();
    assertThat(run.garbage).isEqualTo(expected);
  }

  @Provide
  Arbitrary<Run> runs() {
    Arbitrary<PointGrid> grids =
        Combinators.combine(
                Arbitraries.longs(),
                Arbitraries.doubles().between(0.5, 300),
                Arbitraries.integers().between(1, 40),
                Arbitraries.integers().between(1, 10),
                Arbitraries.longs().between(1, 400))
            .as(
                (seed, rate, series, metrics, points) ->
                    new PointGrid(seed, rate, series, metrics, 1_800_000_000_000L, points));
    return Combinators.combine(
            grids,
            Arbitraries.of(ShapeKind.class),
            Arbitraries.doubles().between(0, 1),
            Arbitraries.integers().between(1, 5000))
        .as(Run::new)
        .filter(run -> run.shape != null);
  }

  /** A point that was sent. */
  private record Left(int series, long tick, long tMs) {
    long ordinal(PointGrid grid) {
      return tick * grid.series() + series;
    }
  }

  /** A shape on a grid, and the points that it sends. */
  private static final class Run implements PointSink {
    private final PointGrid grid;
    private final ShapeKind kind;
    private final Map<String, Number> numbers = new LinkedHashMap<>();
    private final Shape shape;
    private List<Left> left = new ArrayList<>();
    private long garbage;

    Run(PointGrid grid, ShapeKind kind, double share, int whole) {
      this.grid = grid;
      this.kind = kind;
      for (Parameter parameter : kind.parameters()) {
        boolean isTicks = parameter.name().endsWith("_ticks");
        double number = !parameter.isWhole() ? share : isTicks ? whole % 5 + 1 : whole;
        numbers.put(parameter.name(), parameter.check(number));
      }
      Shape made = null;
      try {
        made = kind.on(grid, numbers);
      } catch (IllegalArgumentException e) {
        assertThat(kind).isIn(ShapeKind.JITTER, ShapeKind.COLLECTORS);
      }
      this.shape = made;
    }

    List<Left> at(long turn) {
      left = new ArrayList<>();
      shape.take(turn, this);
      return left;
    }

    List<Left> all() {
      left = new ArrayList<>();
      for (long turn = 0; turn < grid.points(); turn++) {
        shape.take(turn, this);
      }
      return left;
    }

    /** By how much the time of a point may be rounded down. */
    long roundedMs() {
      return kind == ShapeKind.COLLECTORS ? (long) grid.intervalMs() : 0;
    }

    /** By how much a clock may be off. */
    long jumpMs() {
      return kind == ShapeKind.JUMPING ? numbers.get("jump_ms").longValue() : 0;
    }

    boolean isInGap(long n) {
      long group = n / grid.series() / numbers.get("gap_ticks").longValue();
      return new Draw(grid.seed(), Draw.GAPS).uniform(n % grid.series(), group)
          < numbers.get("gap_share").doubleValue();
    }

    boolean isDrawn(long n, int purpose, String share) {
      return new Draw(grid.seed(), purpose).uniform(n % grid.series(), n / grid.series())
          < numbers.get(share).doubleValue();
    }

    @Override
    public void point(int series, long tick, long tMs) {
      left.add(new Left(series, tick, tMs));
    }

    @Override
    public void garbage(int series) {
      garbage++;
    }

    @Override
    public String toString() {
      return kind + " " + numbers + " on " + grid;
    }
  }
}
