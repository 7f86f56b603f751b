package dev.rondo.loadgen.shape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.loadgen.plan.Names;
import dev.rondo.loadgen.plan.Plan;
import dev.rondo.loadgen.plan.Progress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Shapes send what the files in {@code golden/} list. Implementations in other languages are
 * checked against the same files.
 */
class GoldenTest {
  private static final long SKEW_MS = 7_000;
  private static final long START_MS = 1_800_000_000_000L;

  /** Not the defaults, so that a few points show every effect. */
  private static final Map<String, Double> NUMBERS =
      Map.ofEntries(
          Map.entry("ramp_from", 0.3),
          Map.entry("burst_ms", 1500.0),
          Map.entry("jitter", 0.8),
          Map.entry("aligned_share", 0.6),
          Map.entry("jump_ticks", 2.0),
          Map.entry("jump_share", 0.7),
          Map.entry("jump_ms", 2500.0),
          Map.entry("gap_ticks", 2.0),
          Map.entry("gap_share", 0.4),
          Map.entry("late_ticks", 2.0),
          Map.entry("late_share", 0.4),
          Map.entry("duplicate_share", 0.3),
          Map.entry("disorder_share", 0.5),
          Map.entry("garbage_share", 0.2),
          Map.entry("churn_ms", 5000.0));

  @Test
  void shouldHashAsTheFileSays() throws IOException {
    var rows = new StringBuilder("seed,purpose,s,k,bits,uniform,value\n");
    long[][] cases = {
      {0, 1, 0, 0},
      {42, 1, 0, 0},
      {42, 1, 1, 0},
      {42, 1, 0, 1},
      {42, 2, 7, 11},
      {42, 3, 299_999, 4_000_000_000L},
      {42, 8, 12_345, 0},
      {-1, 1, 5, 6},
      {-1, 4, 5, 6},
      {Long.MAX_VALUE, 7, Integer.MAX_VALUE, Long.MAX_VALUE / 2},
    };
    for (long[] given : cases) {
      var draw = new Draw(given[0], (int) given[1]);
      long bits = draw.bits(given[2], given[3]);
      double uniform = draw.uniform(given[2], given[3]);
      rows.append("%d,%d,%d,%d,".formatted(given[0], given[1], given[2], given[3]))
          .append(Long.toUnsignedString(bits) + "," + uniform + "," + uniform * 100.0 + "\n");
    }
    check("hash.csv", rows.toString());
  }

  @Test
  void shouldSkewClocksAsTheFileSays() throws IOException {
    check("skewed", plan(ShapeKind.LATE, SKEW_MS));
  }

  @ParameterizedTest
  @EnumSource
  void shouldSendAsTheFileSays(ShapeKind kind) throws IOException {
    check(kind.label(), plan(kind, 0));
  }

  private static void check(String name, Plan plan) throws IOException {
    var emitted = new Emitted(plan);
    for (long turn = 0; turn < plan.grid().points(); turn++) {
      emitted.take(turn);
    }
    check(name + ".json", plan.toJson(emitted.progress()));
    check(name + ".csv", emitted.rows.toString());
  }

  private static Plan plan(ShapeKind kind, long skewMs) {
    Map<String, Number> numbers = new LinkedHashMap<>();
    kind.parameters().forEach(p -> numbers.put(p.name(), p.check(NUMBERS.get(p.name()))));
    return new Plan(
        "golden",
        new PointGrid(42, 3.7, 6, 3, START_MS, 47),
        kind,
        numbers,
        "native",
        1,
        "points",
        1,
        "series",
        Names.path("golden", kind.hasGenerations()),
        skewMs,
        "now",
        1);
  }

  private static void check(String name, String content) throws IOException {
    Path made = Path.of("target/golden", name);
    Files.createDirectories(made.getParent());
    Files.writeString(made, content);

    assertThat(Path.of("../golden", name))
        .as("if the change is intended, copy target/golden/* to golden/")
        .exists()
        .hasContent(content);
  }

  /** The rows of a file. */
  private static final class Emitted implements PointSink {
    private final Plan plan;
    private final PointGrid grid;
    private final Shape shape;
    private final Values values;
    private final StringBuilder rows =
        new StringBuilder("turn,due_ms,kind,ordinal,series,tick,t_ms,value,ident\n");
    private long turn;
    private long points;
    private long garbage;

    Emitted(Plan plan) {
      this.plan = plan;
      this.grid = plan.grid();
      this.shape = plan.shape();
      this.values = new Values(grid.seed());
    }

    void take(long turn) {
      this.turn = turn;
      shape.take(turn, this);
    }

    @Override
    public void point(int series, long tick, long tMs) {
      points++;
      int machine = series / grid.metrics();
      byte[] ident =
          plan.names()
              .ident()
              .fill(machine, series % grid.metrics(), shape.generation(machine, tMs));
      begin("point", series, tick)
          .append(",%d,%s,".formatted(tMs, values.of(series, tick)))
          .append(new String(ident, StandardCharsets.UTF_8) + "\n");
    }

    @Override
    public void garbage(int series) {
      garbage++;
      begin("garbage", series, grid.tick(turn)).append(",,,\n");
    }

    private StringBuilder begin(String kind, int series, long tick) {
      return rows.append("%d,%d,%s,".formatted(turn, shape.dueMs(turn), kind))
          .append("%d,%d,%d".formatted(grid.ordinal(series, tick), series, tick));
    }

    Progress progress() {
      return new Progress(grid.points(), points, 0, garbage, true);
    }
  }
}
