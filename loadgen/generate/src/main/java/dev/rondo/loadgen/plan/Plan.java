package dev.rondo.loadgen.plan;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rondo.loadgen.shape.PointGrid;
import dev.rondo.loadgen.shape.Shape;
import dev.rondo.loadgen.shape.ShapeKind;
import dev.rondo.loadgen.shape.SkewedClocks;
import java.util.Map;

/**
 * What a run sends. Everything that leaves is a pure function of it.
 *
 * @param run names the run in its series, so that no two runs share any
 * @param numbers the parameters of the shape, by name
 * @param timeUnitMs 1000 where the format can only tell seconds: times are cut to them
 * @param batch most points a record
 * @param keys what the key of a record is
 * @param clockSkewMs most that the clock of a machine is ahead or behind; 0: all are right
 * @param timestamps what the timestamp of a record is
 */
public record Plan(
    String run,
    PointGrid grid,
    ShapeKind kind,
    Map<String, Number> numbers,
    String format,
    long timeUnitMs,
    String topic,
    int batch,
    String keys,
    Names names,
    long clockSkewMs,
    String timestamps) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The same, with its first point at another time. */
  public Plan startingAt(long startMs) {
    return new Plan(
        run,
        grid.startingAt(startMs),
        kind,
        numbers,
        format,
        timeUnitMs,
        topic,
        batch,
        keys,
        names,
        clockSkewMs,
        timestamps);
  }

  /** Its shape. */
  public Shape shape() {
    Shape exact = kind.on(grid, numbers);
    return clockSkewMs == 0 ? exact : new SkewedClocks(exact, grid, clockSkewMs);
  }

  /** The plan's file, as far as it has come. */
  public String toJson(Progress progress) {
    ObjectNode json = JSON.createObjectNode();
    json.put("version", 1);
    json.put("run", run);
    json.put("seed", grid.seed());
    json.put("shape", kind.label());
    json.put("rate", grid.rate());
    json.put("series", grid.series());
    json.put("metrics", grid.metrics());
    json.put("start_ms", grid.startMs());
    json.put("points", grid.points());
    json.put("sent", progress.turns());
    json.put("acked", progress.acked());
    json.put("failed", progress.failed());
    json.put("finished", progress.isFinished());
    json.put("format", format);
    json.put("time_unit_ms", timeUnitMs);
    json.put("topic", topic);
    json.put("batch", batch);
    json.put("keys", keys);
    json.put("clock_skew_ms", clockSkewMs);
    json.put("timestamps", timestamps);
    json.put("garbage", progress.garbage());
    json.putObject("names")
        .put("machine", names.machine().toString())
        .put("ident", names.ident().toString());
    numbers.forEach(
        (name, number) -> {
          if (number instanceof Long whole) {
            json.put(name, whole);
          } else {
            json.put(name, number.doubleValue());
          }
        });
    return json.toPrettyString() + "\n";
  }
}
