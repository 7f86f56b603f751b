package dev.rondo.bench.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.bench.BenchException;
import dev.rondo.bench.Machine;
import dev.rondo.bench.Progress;
import dev.rondo.harness.Load;
import dev.rondo.harness.RondoCli.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What a live replay costs live points, and how fast it is: freshness without a replay, then with
 * one of the same topic at its default rate, then the rate of a replay when nothing else runs.
 *
 * <pre>
 *   load      |-- warm-up --|-- without --|-- until closed --|-- with --|
 *   replay                                                   |-- cancelled --|        |-- of all --|
 * </pre>
 */
@Command(
    name = "replay",
    description = {
      "Measures what a live replay costs.",
      "",
      "Freshness of live points without a replay and with one of the same topic at its "
          + "default rate; then the rate of a replay when nothing else runs."
    })
public final class ReplayBenchCommand extends RondoCommand {
  private static final String RUN = "bench";
  private static final long LOOK_NANOS = 250_000_000;

  /** Heartbeat and fast clocks: a replay ends where slots are closed. */
  private static final long CLOSED_MS = 200_000;

  private static final int STEP_MS = 10_000;

  @Option(
      names = "--series",
      paramLabel = "N",
      defaultValue = "500000",
      description = "Number of series (default: ${DEFAULT-VALUE}).")
  private int series;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "50000",
      description = "Live points per second, keyed by series (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "120",
      description =
          "Time before the measurement, which is replayed later (default: ${DEFAULT-VALUE}).")
  private int warmUp;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "Duration of each measurement of freshness (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "1",
      description = "Workers of the replay (default: ${DEFAULT-VALUE}).")
  private int workers;

  /**
   * Result.
   *
   * @param withoutP50Ms time from when the point that closes a slot is due until its value is
   *     readable, without a replay
   * @param replayPerSecond points a second of the replay beside live points
   * @param alonePerSecond points a second of a replay when nothing else runs
   */
  record Result(
      double rate,
      double withoutP50Ms,
      double withoutP99Ms,
      double withP50Ms,
      double withP99Ms,
      double replayPerSecond,
      double alonePerSecond,
      long droppedPoints,
      String verified) {}

  /** Measures a Rondo that it starts. */
  public ReplayBenchCommand() {
    this(Rondo::start);
  }

  ReplayBenchCommand(Rondo.Source source) {
    super(source);
  }

  @Override
  public Integer call() throws Exception {
    requireSeries(series);
    requireAtLeast("--rate", rate, 1);
    requireAtLeast("--warm-up", warmUp, 20);
    requireAtLeast("--seconds", seconds, 20);
    requireAtLeast("--workers", workers, 1);
    var progress = new Progress();
    var workload = new Workload("replay", "native", true, "series", 1, series, series / rate);
    try (Rondo rondo = start(workload, "merge.sources=false\n", progress)) {
      Result result = measure(rondo, workload, progress);
      progress.done();
      print(result, () -> print(result));
      return result.verified().equals("clean") && result.droppedPoints() == 0 ? 0 : 1;
    }
  }

  private Result measure(Rondo rondo, Workload workload, Progress progress)
      throws IOException, InterruptedException, SQLException {
    long closedSeconds = Math.max(0, CLOSED_MS / 1000 - seconds);
    Load load =
        rondo.load(
            RUN,
            "live",
            workload,
            "--rate=" + rate,
            "--seconds=" + (warmUp + 2 * seconds + closedSeconds + 30));
    try (Connection connection = rondo.connect()) {
      long startMs = load.startMs();
      await("warming up", startMs, startMs + warmUp * 1000L, progress);
      Visible without = look(connection, load, "without a replay", progress);
      long closedMs = startMs + warmUp * 1000L + CLOSED_MS;
      await("waiting until the slots of the warm-up are closed", startMs, closedMs, progress);
      long fromMs = startMs / STEP_MS * STEP_MS + STEP_MS;
      long toMs = (startMs + warmUp * 1000L) / STEP_MS * STEP_MS;
      Running replay = rondo.command("replay", options(fromMs, toMs));
      Visible with = look(connection, load, "with a replay", progress);
      double replayPerSecond = perSecond(rondo);
      end(rondo.command("replay cancel", new ArrayList<>())); // the rest would take long
      replay.await();
      load.await();
      long endMs = System.currentTimeMillis();
      await("waiting until all slots are closed", endMs, endMs + CLOSED_MS, progress);
      progress.show("replay alone", 0, 1);
      double alone = alone(rondo, fromMs, endMs / STEP_MS * STEP_MS);
      return new Result(
          rate,
          without.fromClosing(0.5),
          without.fromClosing(0.99),
          with.fromClosing(0.5),
          with.fromClosing(0.99),
          replayPerSecond,
          alone,
          rondo.droppedPoints(),
          rondo.verify(0, load.plan()));
    }
  }

  private List<String> options(long fromMs, long toMs) {
    return new ArrayList<>(
        List.of(
            "--live",
            "--topic=points",
            "--overwrite",
            "--workers=" + workers,
            "--from=" + Instant.ofEpochMilli(fromMs),
            "--to=" + Instant.ofEpochMilli(toMs)));
  }

  private static void await(String what, long fromMs, long toMs, Progress progress) {
    while (System.currentTimeMillis() < toMs) {
      progress.show(what, System.currentTimeMillis() - fromMs, toMs - fromMs);
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private Visible look(Connection connection, Load load, String what, Progress progress)
      throws IOException, SQLException {
    var visible = new Visible(connection, RUN, ClosingPoints.of(load.plan()));
    visible.choose();
    visible.begin();
    long beginMs = System.currentTimeMillis();
    while (System.currentTimeMillis() < beginMs + seconds * 1000L) {
      visible.look();
      progress.show(what, System.currentTimeMillis() - beginMs, seconds * 1000L);
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return visible;
  }

  /** Records a second of the newest job, of one point each. */
  private static double perSecond(Rondo rondo) throws IOException {
    return state(rondo).path("recordsPerSecond").asDouble();
  }

  /** Reads all points again; returns how many a second, from the first to the last. */
  private double alone(Rondo rondo, long fromMs, long toMs)
      throws IOException, InterruptedException {
    List<String> options = options(fromMs, toMs);
    options.add("--rate=0");
    int before = jobs(rondo).size();
    Running replay = rondo.command("replay", options);
    long first = 0;
    long firstNanos = 0;
    long read = 0;
    long lastNanos = 0;
    while (replay.process().isAlive()) {
      long now = jobs(rondo).size() > before ? state(rondo).path("read").asLong() : 0;
      if (now > 0 && firstNanos == 0) {
        first = now;
        firstNanos = System.nanoTime();
      }
      if (now > read) {
        read = now;
        lastNanos = System.nanoTime();
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    end(replay);
    return (read - first) * 1e9 / (lastNanos - firstNanos);
  }

  private static List<Path> jobs(Rondo rondo) throws IOException {
    Path jobs = rondo.dir().resolve("replays");
    if (!Files.isDirectory(jobs)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(jobs)) {
      return all.filter(dir -> Files.exists(dir.resolve("job.json")))
          .sorted(Comparator.naturalOrder())
          .toList();
    }
  }

  private static JsonNode state(Rondo rondo) throws IOException {
    List<Path> jobs = jobs(rondo);
    return new ObjectMapper().readTree(jobs.get(jobs.size() - 1).resolve("state.json").toFile());
  }

  private static void end(Running replay) throws IOException, InterruptedException {
    if (replay.await() != 0) {
      throw new BenchException(replay.failed().getMessage());
    }
  }

  private static void print(Result result) {
    System.out.println(Machine.line());
    System.out.printf(
        "%,.0f live points/s, keyed; from when the point that closes a slot is due until its value"
            + " is readable:%n",
        result.rate());
    System.out.printf(
        "  without a replay  p50 %,.0f ms, p99 %,.0f ms%n",
        result.withoutP50Ms(), result.withoutP99Ms());
    System.out.printf(
        "  with a replay     p50 %,.0f ms, p99 %,.0f ms (p99 x %.2f), %,.0f points/s%n",
        result.withP50Ms(),
        result.withP99Ms(),
        result.withP99Ms() / result.withoutP99Ms(),
        result.replayPerSecond());
    System.out.printf("replay alone: %,.0f points/s%n", result.alonePerSecond());
    System.out.printf(
        "live points dropped %d; all slots afterwards: %s%n",
        result.droppedPoints(), result.verified());
  }
}
