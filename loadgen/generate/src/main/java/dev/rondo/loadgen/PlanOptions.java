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

/** Options that say what is sent. */
final class PlanOptions {
  private static final double DEFAULT_STEP_S = 10;

  @Option(
      names = "--shape",
      paramLabel = "SHAPE",
      defaultValue = "steady",
      description =
          "steady, ramp, burst, jitter, gaps, late, duplicate, disorder, garbage, churn or firehose (default: steady).")
  private ShapeKind kind;

  @Option(
      names = "--series",
      paramLabel = "N",
      description = "How many series (default: 10000; firehose: 300000).")
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
          "Points a second of all series (default: that of one each 10 s; firehose: 150000).")
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
          "Record keys: series, machine, none (a machine keeps its partition), absent "
              + "(Kafka's producer chooses) or random (default: series; machine for records of "
              + "several points, none for records of several machines).")
  private Keys keys;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "rondo",
      description =
          "rondo, graphite, influx, json, collectd, putval, otlp, prometheus or metrictank (default: rondo).")
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
          "Part of the series names; repeat one to continue its series (default: a new one).")
  private String run;

  @Option(
      names = "--start",
      paramLabel = "TIME",
      description =
          "Time of the first point: ISO 8601, a span back such as -1h, or next-10s, which waits for the next whole 10 s (default: now).")
  private String start;

  @Option(
      names = "--clock-skew",
      paramLabel = "SPAN",
      defaultValue = "0s",
      description =
          "The clock of each machine, and with it its points, is off by up to SPAN, such as"
              + " 60s (default: 0s).")
  private String clockSkew;

  @Option(
      names = "--timestamps",
      paramLabel = "KIND",
      defaultValue = "now",
      description =
          "Record timestamps: now, or points, the time of the newest point of the record "
              + "(default: now).")
  private Timestamps timestamps;

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
            timestamps.label());
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

  /** When the first point is due that is sent from now on, epoch ms. */
  long startMs(long nowMs) {
    return start == null ? nowMs : StartTime.parseMs(start, nowMs);
  }

  /** Whether the first point has the time at which it is sent. */
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
    return kind == ShapeKind.FIREHOSE ? 300_000 : 10_000;
  }

  private double rate() {
    if (rate != null) {
      return rate;
    }
    return kind == ShapeKind.FIREHOSE ? 150_000 : series() / DEFAULT_STEP_S;
  }

  /** A ramp has fewer of them in the same time. */
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
