package dev.rondo.bench.ingest;

import dev.rondo.bench.Machine;
import dev.rondo.bench.Progress;
import dev.rondo.harness.Load;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Whether a topology predicts the rate that saturates it: raises the rate until Rondo falls behind,
 * then compares the predictions of the metrics at shares of that limit.
 */
@Command(
    name = "saturation",
    description = {
      "Raises the rate until Rondo does not keep up, and compares the limit with the "
          + "metrics' prediction.",
      "",
      "The predictions are those of the topology's metrics at 25, 50, 80 and 95 %% of the "
          + "limit."
    },
    footer = {"Exit code 1 if a prediction is off by more than 15 %%."})
public final class SaturationCommand extends RondoCommand {
  private static final List<Double> SHARES = List.of(0.25, 0.5, 0.8, 0.95);
  private static final double RAISED_BY = 1.5;

  /** Share of a rate that is completed while it is kept up with. */
  private static final double KEPT_UP = 0.95;

  /** Largest error of an estimate, as a share of the limit. */
  private static final double MAX_ERROR = 0.15;

  /** Before this part of a step the generator starts, and queues settle. */
  private static final double SETTLING = 0.4;

  private static final long LOOK_NANOS = 250_000_000;
  private static final long DRAIN_BOUND_MS = 120_000;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      defaultValue = "keyed",
      description = "Workload, as of ./rondo bench ingest (default: ${DEFAULT-VALUE}).")
  private String profile;

  @Option(
      names = "--series",
      paramLabel = "N",
      defaultValue = "50000",
      description = "Number of series (default: ${DEFAULT-VALUE}).")
  private int series;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "20000",
      description = "Points per second to begin with (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "Duration of each rate, at least 15 (default: ${DEFAULT-VALUE}).")
  private int seconds;

  /**
   * What was seen at one rate.
   *
   * @param pointsPerSecond completed
   * @param maxPointsPerSecond the topology's metric at the end: the predicted limit
   * @param responseTimeRatio the topology's metric at the end
   */
  record Step(
      double rate, double pointsPerSecond, double maxPointsPerSecond, double responseTimeRatio) {}

  /**
   * Result.
   *
   * @param limit most points a second that were completed
   * @param raised rates of the search for the limit
   * @param steps at {@link #SHARES} of the limit
   */
  record Result(Workload workload, double limit, List<Step> raised, List<Step> steps) {
    double error(Step step) {
      return step.maxPointsPerSecond / limit - 1;
    }

    boolean isGood() {
      return steps.stream().allMatch(step -> Math.abs(error(step)) <= MAX_ERROR);
    }
  }

  /** Measures a Rondo that it starts. */
  public SaturationCommand() {
    this(Rondo::start);
  }

  SaturationCommand(Rondo.Source source) {
    super(source);
  }

  @Override
  public Integer call() throws Exception {
    requireSeries(series);
    requireAtLeast("--rate", rate, 1);
    requireAtLeast("--seconds", seconds, 15);
    Workload workload = workload(profile).with(series, series / rate);
    var progress = new Progress();
    try (Rondo rondo = start(workload, "", progress)) {
      Result result = measure(rondo, workload, progress);
      progress.done();
      print(result, () -> print(result));
      return result.isGood() ? 0 : 1;
    }
  }

  private Result measure(Rondo rondo, Workload workload, Progress progress)
      throws IOException, InterruptedException {
    step(rondo, workload, rate, progress); // series become known, code is compiled
    var raised = new ArrayList<Step>();
    double next = rate;
    do {
      raised.add(step(rondo, workload, next, progress));
      next *= RAISED_BY;
    } while (keepsUp(raised.get(raised.size() - 1)));
    double limit = raised.stream().mapToDouble(Step::pointsPerSecond).max().orElseThrow();
    var steps = new ArrayList<Step>();
    for (double share : SHARES) {
      steps.add(step(rondo, workload, share * limit, progress));
    }
    return new Result(workload, limit, raised, steps);
  }

  private static boolean keepsUp(Step step) {
    return step.pointsPerSecond >= KEPT_UP * step.rate;
  }

  private Step step(Rondo rondo, Workload workload, double atRate, Progress progress)
      throws IOException, InterruptedException {
    Load load =
        rondo.load(
            "saturation",
            "at-" + Math.round(atRate),
            workload.atRate(atRate),
            "--rate=" + atRate,
            "--seconds=" + (seconds + 1));
    long beginMs = load.startMs() + (long) (SETTLING * seconds * 1000);
    long endMs = load.startMs() + seconds * 1000L;
    await(beginMs, load.startMs(), atRate, progress);
    long sinceMs = System.currentTimeMillis();
    long points = rondo.points();
    await(endMs, load.startMs(), atRate, progress);
    double completed = (rondo.points() - points) * 1e3 / (System.currentTimeMillis() - sinceMs);
    var step =
        new Step(
            atRate,
            completed,
            rondo.metric("rondo_saturation_max_points_per_second"),
            rondo.metric("rondo_saturation_response_time_ratio"));
    load.end();
    drain(rondo);
    return step;
  }

  private void await(long untilMs, long startMs, double atRate, Progress progress) {
    while (System.currentTimeMillis() < untilMs) {
      progress.show(
          "%,.0f points/s, s".formatted(atRate),
          (System.currentTimeMillis() - startMs) / 1000,
          seconds);
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /** Waits until nothing more is consumed. */
  private static void drain(Rondo rondo) throws IOException, InterruptedException {
    long boundMs = System.currentTimeMillis() + DRAIN_BOUND_MS;
    long before = -1;
    for (long now = rondo.points();
        now != before && System.currentTimeMillis() < boundMs;
        now = rondo.points()) {
      before = now;
      LockSupport.parkNanos(4 * LOOK_NANOS);
    }
  }

  private static void print(Result result) {
    System.out.println(Machine.line());
    System.out.printf("%n%s%nlimit: %,.0f points/s%n", result.workload(), result.limit());
    System.out.printf(
        "%n%8s  %9s  %10s  %9s  %6s  %6s%n",
        "of limit", "points/s", "completed", "predicted", "error", "ratio");
    result.raised().forEach(step -> print(result, step));
    System.out.println();
    result.steps().forEach(step -> print(result, step));
  }

  private static void print(Result result, Step step) {
    System.out.printf(
        "%7.0f%%  %,9.0f  %,10.0f  %,9.0f  %+5.0f%%  %6.1f%n",
        100 * step.rate() / result.limit(),
        step.rate(),
        step.pointsPerSecond(),
        step.maxPointsPerSecond(),
        100 * result.error(step),
        step.responseTimeRatio());
  }
}
