package dev.rondo.loadgen.plan;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rondo.loadgen.shape.PointGrid;
import dev.rondo.loadgen.shape.Shape;
import dev.rondo.loadgen.shape.ShapeKind;
import dev.rondo.loadgen.shape.SkewedClocks;
import java.util.Map;

/**
 * What a run sends: all points are a pure function of the plan.
 *
 * @param run name of the run, part of its series' names, so that runs do not share series
 * @param numbers the parameters of the shape, by name
 * @param timeUnitMs 1000 if the format has whole seconds only, to which times are truncated; else 1
 * @param batch most points per record
 * @param keys kind of record keys
 * @param clockSkewMs largest error of a machine's clock; 0: all clocks are right
 * @param timestamps kind of record timestamps
 * @param oneOf the series are those of one of so many instances of a deployment; 1: all series
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
    String timestamps,
    int oneOf) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** With this version {@code ./rondo verify} knows the names of all series. */
  private static final int VERSION = 1;

  private static final int VERSION_OF_A_SHARE = 2;

  /** The same plan with another start time. */
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
        timestamps,
        oneOf);
  }

  /** The shape, with clock skew applied. */
  public Shape shape() {
    Shape exact = kind.on(grid, numbers);
    return clockSkewMs == 0 ? exact : new SkewedClocks(exact, grid, clockSkewMs);
  }

  /** Content of the plan file, with the progress so far. */
  public String toJson(Progress progress) {
    ObjectNode json = JSON.createObjectNode();
    json.put("version", oneOf == 1 ? VERSION : VERSION_OF_A_SHARE);
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
    if (oneOf > 1) {
      json.put("one_of", oneOf);
    }
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
