package dev.rondo.bench.ingest;

import dev.rondo.bench.Progress;
import dev.rondo.harness.Load;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Time until all series are readable when many new series reach an empty Rondo at once. */
@Command(
    name = "cold-start",
    description =
        "Measures how soon many new series can be read that arrive at once at an empty Rondo.")
public final class ColdStartCommand extends RondoCommand {
  /** Starts at a slot boundary; otherwise the first slot with all series ends up to 7 s later. */
  private static final String START = "--start=next-10s";

  private static final long LOOK_NANOS = 500_000_000;

  /**
   * Points per series that the generator encodes before its clock starts, so that only Rondo is
   * cold.
   */
  private static final long REHEARSALS = 5;

  private static final long BOUND_MS = 300_000;

  @Option(
      names = "--series",
      paramLabel = "N",
      defaultValue = "300000",
      description = "Number of new series (default: ${DEFAULT-VALUE}).")
  private int series;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "150000",
      description = "Points per second (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "40",
      description = "Duration of the measurement (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(names = "--no-verify", description = "Do not compare what is stored with the model.")
  private boolean unverified;

  /**
   * Result.
   *
   * @param allReadableMs from the first point until every series had a value in the tables; NaN if
   *     that never happened
   * @param residentMb by part, at the end
   */
  record Result(
      int series,
      double rate,
      int seconds,
      double allReadableMs,
      double worstLagMs,
      Map<String, Long> residentMb,
      String verified) {}

  /** Measures a Rondo that it starts. */
  public ColdStartCommand() {
    this(Rondo::start);
  }

  ColdStartCommand(Rondo.Source source) {
    super(source);
  }

  @Override
  public Integer call() throws Exception {
    requireSeries(series);
    requireAtLeast("--rate", rate, 1);
    requireAtLeast("--seconds", seconds, 20);
    var progress = new Progress();
    Workload workload =
        new Workload("cold-start", "native", true, "series", 1, series, series / rate);
    try (Rondo rondo = start(workload, "", progress)) {
      Result result = measure(rondo, workload, progress);
      progress.done();
      print(result, () -> print(result));
      return !Double.isNaN(result.allReadableMs()) && isClean(result.verified()) ? 0 : 1;
    }
  }

  private Result measure(Rondo rondo, Workload workload, Progress progress)
      throws IOException, InterruptedException, SQLException {
    Load load =
        rondo.load(
            "cold_start",
            "cold-start",
            workload,
            "--rehearse=" + REHEARSALS * series,
            "--rate=" + rate,
            "--seconds=" + seconds,
            START);
    try (Connection connection = rondo.connect()) {
      long startMs = load.startMs();
      var readableSeries = new ReadableSeries(connection, startMs);
      double allReadableMs = Double.NaN;
      while (Double.isNaN(allReadableMs) && System.currentTimeMillis() < startMs + BOUND_MS) {
        long readable = readableSeries.look();
        progress.show("readable series", readable, series);
        if (readable == series) {
          allReadableMs = System.currentTimeMillis() - startMs;
        }
        LockSupport.parkNanos(LOOK_NANOS);
      }
      double worstLagMs = load.await().get("worst_lag_ms").asDouble();
      return new Result(
          series,
          rate,
          seconds,
          allReadableMs,
          worstLagMs,
          rondo.residentMb(),
          unverified ? null : rondo.verify(0, load.plan()));
    }
  }

  private void print(Result result) {
    System.out.printf(
        "%,d new series, %,.0f points/s for %d s%n", series, result.rate(), result.seconds());
    IngestTable.line("all readable after", "%.1f s".formatted(result.allReadableMs() / 1000));
    IngestTable.line("generator behind, at worst", "%,.0f ms".formatted(result.worstLagMs()));
    result
        .residentMb()
        .forEach((part, mb) -> IngestTable.line("memory of " + part, "%,d MB".formatted(mb)));
    if (result.verified() != null) {
      IngestTable.line("./rondo verify", result.verified());
    }
  }
}
