package dev.rondo.bench.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.loadgen.shape.Parameter;
import dev.rondo.loadgen.shape.PointGrid;
import dev.rondo.loadgen.shape.PointSink;
import dev.rondo.loadgen.shape.Shape;
import dev.rondo.loadgen.shape.ShapeKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The points of a plan that close slots: the first of a series at or after the end of a slot. */
final class ClosingPoints {
  private static final Pattern MACHINE = Pattern.compile("\\bm(\\d{5,})\\b");
  private static final Pattern METRIC = Pattern.compile("\\bmetric(\\d+)");

  /** The time of a point may be so many intervals before it is sent. */
  private static final int INTERVALS_BEFORE = 2;

  private final PointGrid grid;
  private final Shape shape;
  private final boolean isShare;
  private final Time time = new Time();

  private ClosingPoints(PointGrid grid, Shape shape, boolean isShare) {
    this.grid = grid;
    this.shape = shape;
    this.isShare = isShare;
  }

  /** Those of a plan file, once its load has begun. */
  static ClosingPoints of(Path plan) throws IOException {
    JsonNode json = new ObjectMapper().readTree(plan.toFile());
    var grid =
        new PointGrid(
            json.get("seed").asLong(),
            json.get("rate").asDouble(),
            json.get("series").asInt(),
            json.get("metrics").asInt(),
            json.get("start_ms").asLong(),
            json.get("points").asLong());
    ShapeKind kind = ShapeKind.of(json.get("shape").asText());
    Map<String, Number> numbers = new HashMap<>();
    for (Parameter parameter : kind.parameters()) {
      numbers.put(parameter.name(), json.get(parameter.name()).numberValue());
    }
    return new ClosingPoints(grid, kind.on(grid, numbers), json.has("one_of"));
  }

  /** Whether times are known: the names of a share are numbered by the whole deployment. */
  boolean areKnown() {
    return !isShare;
  }

  /** The number of a series by its name with tags; -1 if it is not one of a load. */
  int series(String ident) {
    Matcher machine = MACHINE.matcher(ident);
    Matcher metric = METRIC.matcher(ident);
    return machine.find() && metric.find()
        ? Integer.parseInt(machine.group(1)) * grid.metrics() + Integer.parseInt(metric.group(1))
        : -1;
  }

  /** When the point is due that closes the slot of a series that ends at {@code endMs}. */
  long dueMs(int series, long endMs) {
    long tick =
        Math.max(0, (long) ((endMs - grid.startMs()) / grid.intervalMs()) - INTERVALS_BEFORE);
    long turn = tick * grid.series() + series;
    while (timeMs(turn) < endMs) {
      turn += grid.series();
    }
    return shape.dueMs(turn);
  }

  private long timeMs(long turn) {
    shape.take(turn, time);
    return time.ms;
  }

  private static final class Time implements PointSink {
    private long ms;

    @Override
    public void point(int series, long tick, long tMs) {
      ms = tMs;
    }

    @Override
    public void garbage(int series) {}
  }
}
