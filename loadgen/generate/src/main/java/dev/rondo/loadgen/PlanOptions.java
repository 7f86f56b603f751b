package dev.rondo.loadgen;

import dev.rondo.loadgen.encode.Format;
import dev.rondo.loadgen.plan.Plan;
import dev.rondo.loadgen.send.Keys;
import dev.rondo.loadgen.send.Timestamps;
import dev.rondo.loadgen.shape.PointGrid;
import dev.rondo.loadgen.shape.ShapeKind;
import java.security.SecureRandom;
import java.util.Map;
import picocli.CommandLine.Option;

/** Options for the points to send. */
final class PlanOptions {
  private static final double DEFAULT_STEP_S = 10;

  @Option(
      names = "--shape",
      paramLabel = "SHAPE",
      defaultValue = "steady",
      description =
          "steady, ramp, burst, jitter, collectors, jumping, gaps, late, duplicate, disorder, garbage, churn or cold-start (default: steady).")
  private ShapeKind kind;

  @Option(
      names = "--series",
      paramLabel = "N",
      description = "Number of series (default: 10000; cold-start: 300000).")
  private Integer series;

  @Option(
      names = "--metrics",
      paramLabel = "N",
      defaultValue = "100",
      description = "Series per machine (default: 100).")
  private int metrics;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description =
          "Points per second over all series (default: a point per series every 10 s; cold-start: 150000).")
  private Double rate;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "Time span of the points (default: 60).")
  private double seconds;

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "1",
      description = "Maximum points per record (default: 1).")
  private int batch;

  @Option(
      names = "--keys",
      paramLabel = "KEYS",
      description =
          "Record keys: series, machine, none (the generator assigns each machine a partition), absent (Kafka's producer chooses) or random (default: series; machine if a record has several points, none if it has several machines).")
  private Keys keys;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "native",
      description =
          "native, graphite, influx, json, collectd, putval, otlp, prometheus or metrictank (default: native).")
  private Format format;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "42",
      description = "Seed of the values (default: 42).")
  private long seed;

  @Option(
      names = "--run",
      paramLabel = "NAME",
      description =
          "Part of the series' names: reuse a name to continue its series (default: a new one).")
  private String run;

  @Option(
      names = "--start",
      paramLabel = "TIME",
      description =
          "Time of the first point: ISO 8601, a span back such as -1h, or next-10s, the next multiple of 10 s (default: now).")
  private String start;

  @Option(
      names = "--clock-skew",
      paramLabel = "SPAN",
      defaultValue = "0s",
      description =
          "Maximum error of each machine's clock and of its points' times, such as 60s (default: 0s).")
  private String clockSkew;

  @Option(
      names = "--timestamps",
      paramLabel = "KIND",
      defaultValue = "now",
      description =
          "Record timestamps: now, or points, the time of a record's newest point (default: now).")
  private Timestamps timestamps;

  @Option(
      names = "--one-of",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Send only series of one of N instances: of the names of a deployment, those whose hash puts them into the first 16 of 16 times N partitions; ./rondo verify cannot compare them (default: 1).")
  private int oneOf;

  /** The plan. */
  Plan plan(ShapeOptions shape, String topic, long nowMs) {
    String name = run == null ? newName() : run;
    Map<String, Number> numbers = numbers(shape);
    PlanChecks.checkNumbers(series(), metrics, rate(), seconds, batch, name);
    var grid = new PointGrid(seed, rate(), series(), metrics, startMs(nowMs), points(numbers));
    Plan plan =
        new Plan(
            name,
            grid,
            kind,
            numbers,
            format.label(),
            format.timeUnitMs(),
            topic,
            batch,
            keys().label(),
            format.names(name, kind.hasGenerations()),
            StartTime.spanMs("--clock-skew", clockSkew),
            timestamps.label(),
            oneOf);
    PlanChecks.check(plan, format, keys());
    return plan;
  }

  private Map<String, Number> numbers(ShapeOptions shape) {
    try {
      return shape.of(kind);
    } catch (IllegalArgumentException e) {
      throw new BadInputException(e.getMessage());
    }
  }

  /** Time of the first point of a run that starts now, epoch ms. */
  long startMs(long nowMs) {
    return start == null ? nowMs : StartTime.parseMs(start, nowMs);
  }

  /** Whether points are sent at their own times, not later. */
  boolean startsLive() {
    return start == null || StartTime.isLive(start);
  }

  private static String newName() {
    return "%06x".formatted(new SecureRandom().nextInt(1 << 24));
  }

  private int series() {
    if (series != null) {
      return series;
    }
    return kind == ShapeKind.COLD_START ? 300_000 : 10_000;
  }

  private double rate() {
    if (rate != null) {
      return rate;
    }
    return kind == ShapeKind.COLD_START ? 150_000 : series() / DEFAULT_STEP_S;
  }

  /** A ramp has fewer points in the same time. */
  private long points(Map<String, Number> numbers) {
    double full = rate() * seconds;
    return (long)
        (kind == ShapeKind.RAMP ? full * (1 + numbers.get("ramp_from").doubleValue()) / 2 : full);
  }

  private Keys keys() {
    if (keys != null) {
      return keys;
    }
    return batch == 1 ? Keys.SERIES : batch <= metrics ? Keys.MACHINE : Keys.NONE;
  }
}
