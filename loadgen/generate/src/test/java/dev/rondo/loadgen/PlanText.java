package dev.rondo.loadgen;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.loadgen.plan.Template;
import dev.rondo.loadgen.shape.PointGrid;
import dev.rondo.loadgen.shape.PointSink;
import dev.rondo.loadgen.shape.Shape;
import dev.rondo.loadgen.shape.ShapeKind;
import dev.rondo.loadgen.shape.SkewedClocks;
import dev.rondo.loadgen.shape.Values;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A plan file, and the points that were sent according to it. */
record PlanText(JsonNode json) {
  static PlanText read(Path file) throws IOException {
    return new PlanText(new ObjectMapper().readTree(file.toFile()));
  }

  long number(String key) {
    return json.path(key).longValue();
  }

  boolean isFinished() {
    return json.path("finished").booleanValue();
  }

  /** Points {@code t value} of each series, in order, of all turns sent. */
  Map<String, List<String>> pointsBySeries() {
    var points = new Points();
    for (long turn = 0; turn < number("sent"); turn++) {
      points.shape.take(turn, points);
    }
    return points.bySeries;
  }

  private final class Points implements PointSink {
    private final int metrics = (int) number("metrics");
    private final Template ident = new Template(json.path("names").path("ident").textValue());
    private final Values values = new Values(number("seed"));
    private final Shape shape = shape();
    private final Map<String, List<String>> bySeries = new TreeMap<>();

    private Shape shape() {
      var grid =
          new PointGrid(
              number("seed"),
              json.path("rate").doubleValue(),
              (int) number("series"),
              metrics,
              number("start_ms"),
              number("points"));
      ShapeKind kind = ShapeKind.of(json.path("shape").textValue());
      Map<String, Number> numbers = new LinkedHashMap<>();
      kind.parameters().forEach(p -> numbers.put(p.name(), json.path(p.name()).numberValue()));
      Shape exact = kind.on(grid, numbers);
      long skewMs = number("clock_skew_ms");
      return skewMs == 0 ? exact : new SkewedClocks(exact, grid, skewMs);
    }

    @Override
    public void point(int series, long tick, long tMs) {
      int machine = series / metrics;
      byte[] name = ident.fill(machine, series % metrics, shape.generation(machine, tMs));
      bySeries
          .computeIfAbsent(new String(name, StandardCharsets.UTF_8), none -> new ArrayList<>())
          .add(tMs + " " + values.of(series, tick));
    }

    @Override
    public void garbage(int series) {}
  }
}
