package dev.rondo.bench.ingest;

import dev.rondo.bench.ProcessCpu;
import dev.rondo.bench.ProcessDisk;
import dev.rondo.bench.Progress;
import dev.rondo.harness.Load;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Runs one rate on an initially empty Rondo: is the rate sustained, and what does it cost? */
public final class Step {
  private static final String RUN = "bench";

  private static final long LOOK_NANOS = 250_000_000;

  /** A scrape of /metrics costs as much as hundreds of points, so that few are taken. */
  private static final long SCRAPE_MS = 5_000;

  /** The warm-up has the rate divided by this. */
  private static final double WARM_UP_PART = 3;

  private static final long WARM_UP_BOUND_MS = 120_000;

  /** Share of the warm-up's points after which the rest is soon consumed. */
  private static final double SURELY = 0.999;

  /** How long to wait until the last slots are readable. */
  private static final long LAST_SLOTS_MS = 15_000;

  /** Minimum time at the full rate before the measurement: the start of the generator's JVM. */
  private static final int MIN_SETTLE_SECONDS = 10;

  /** CPU time of the JIT compilers, as a share of a core, below which code counts as compiled. */
  private static final double COMPILED = 0.03;

  /** The generator continues after the measurement: an ended process has no CPU time. */
  private static final int BEYOND_SECONDS = 1;

  private final Workload workload;
  private final double rate;
  private final int warmUpSeconds;
  private final int settleSeconds;
  private final int seconds;

  /**
   * @param warmUpSeconds time at a third of the rate, in which all series become known
   * @param settleSeconds maximum time at the full rate until code is compiled
   * @param seconds that are measured
   */
  public Step(Workload workload, int warmUpSeconds, int settleSeconds, int seconds) {
    this.workload = workload;
    this.rate = workload.rate();
    this.warmUpSeconds = warmUpSeconds;
    this.settleSeconds = Math.max(settleSeconds, MIN_SETTLE_SECONDS);
    this.seconds = seconds;
  }

  /**
   * Result.
   *
   * @param pointsPerSecond consumed by the topology
   * @param cpuSeconds per million points, by part
   * @param compilerCpuSeconds per million points: what the JIT compilers took of that, without the
   *     load generator's
   * @param residentMb resident memory by part, at the end
   * @param kafkaBytes written to the broker's disk per point
   * @param walBytes WAL of PostgreSQL per point
   * @param visibleP50Ms time from the end of a slot until its value is readable
   * @param closedP50Ms time from when the point that closes a slot is due until its value is
   *     readable
   * @param lagSeconds lag at the end
   * @param lagGrowth growth of the lag in points per second, as a share of the rate
   * @param droppedPoints consumed and not stored, since the warm-up began
   * @param verified result of {@code ./rondo verify}; null if not run
   */
  public record Result(
      Workload workload,
      double rate,
      double pointsPerSecond,
      Map<String, Double> cpuSeconds,
      double compilerCpuSeconds,
      Map<String, Long> residentMb,
      double kafkaBytes,
      double walBytes,
      double visibleP50Ms,
      double visibleP99Ms,
      double closedP50Ms,
      double closedP99Ms,
      double lagSeconds,
      double lagGrowth,
      long droppedPoints,
      boolean isSustained,
      String verified) {

    /** CPU seconds per million points of all parts, without the load generator. */
    public double cpuOfRondo() {
      return cpuSeconds.entrySet().stream()
          .filter(part -> !part.getKey().equals("loadgen"))
          .mapToDouble(Map.Entry::getValue)
          .sum();
    }
  }

  public Result run(Rondo rondo, boolean verifies, Progress progress)
      throws IOException, InterruptedException, SQLException {
    Path warmUp = warmUp(rondo, progress);
    long warmUpPoints = rondo.points();
    Load load =
        rondo.load(
            RUN,
            "measured",
            workload,
            "--rate=" + rate,
            "--seconds=" + (settleSeconds + seconds + BEYOND_SECONDS));
    try (Connection connection = rondo.connect()) {
      long startMs = load.startMs();
      var visible = new Visible(connection, RUN, ClosingPoints.of(load.plan()));
      visible.choose(); // takes seconds with millions of series: before the measurement
      settle(rondo, startMs, progress);
      visible.begin();
      var lag = new Lag(startMs, rate, warmUpPoints);
      Usage before = Usage.of(rondo, load.process(), connection);
      long beginMs = System.currentTimeMillis();
      long beginPoints = rondo.points();
      lag.see(beginPoints);
      long endMs = beginMs + seconds * 1000L;
      long scrapedMs = beginMs;
      while (System.currentTimeMillis() < endMs && !load.isOver()) {
        if (System.currentTimeMillis() - scrapedMs >= SCRAPE_MS) {
          scrapedMs = System.currentTimeMillis();
          lag.see(rondo.points());
        }
        visible.look();
        progress.show(
            "%,.0f points/s, lag %,.1f s".formatted(rate, lag.newestSeconds()),
            System.currentTimeMillis() - beginMs,
            endMs - beginMs);
        LockSupport.parkNanos(LOOK_NANOS);
      }
      long points = rondo.points() - beginPoints;
      lag.see(beginPoints + points);
      double elapsed = (System.currentTimeMillis() - beginMs) / 1000.0;
      Usage used = Usage.of(rondo, load.process(), connection).minus(before);
      load.end();
      long boundMs = System.currentTimeMillis() + LAST_SLOTS_MS;
      while (!visible.isComplete() && System.currentTimeMillis() < boundMs) {
        visible.look();
        LockSupport.parkNanos(LOOK_NANOS);
      }
      long dropped = rondo.droppedPoints();
      return new Result(
          workload,
          rate,
          points / elapsed,
          perMillion(used.cpuSeconds(), points),
          used.compilerCpuSeconds() / points * 1e6,
          rondo.residentMb(),
          used.kafkaBytes() / (double) points,
          used.walBytes() / (double) points,
          visible.fromEnd(0.5),
          visible.fromEnd(0.99),
          visible.fromClosing(0.5),
          visible.fromClosing(0.99),
          lag.newestSeconds(),
          lag.growth() / rate,
          dropped,
          lag.isSustained() && dropped == 0,
          verifies ? rondo.verify(lag.newestSeconds(), warmUp, load.plan()) : null);
    }
  }

  /**
   * Sends all series a few times, so that they exist and the JVMs are warm; returns when all points
   * are consumed.
   */
  private Path warmUp(Rondo rondo, Progress progress) throws IOException, InterruptedException {
    Load load =
        rondo.load(
            RUN,
            "warm-up",
            workload,
            "--rate=" + rate / WARM_UP_PART,
            "--seconds=" + warmUpSeconds);
    long points = (long) (rate / WARM_UP_PART * warmUpSeconds);
    long boundMs = System.currentTimeMillis() + WARM_UP_BOUND_MS + warmUpSeconds * 1000L;
    long taken = 0;
    while (taken < points * SURELY && System.currentTimeMillis() < boundMs) {
      taken = rondo.points();
      progress.show("warming up", taken, points);
      LockSupport.parkNanos(LOOK_NANOS);
    }
    load.await();
    return load.plan();
  }

  /** Waits until the JIT compilers have little left to do: a Rondo of users runs for months. */
  private void settle(Rondo rondo, long startMs, Progress progress) {
    long boundMs = startMs + settleSeconds * 1000L;
    long beginMs = startMs;
    double before = rondo.compilerCpuSeconds();
    double share = 1;
    while (share >= COMPILED && System.currentTimeMillis() < boundMs) {
      long nextMs = Math.min(boundMs, beginMs + MIN_SETTLE_SECONDS * 1000L);
      while (System.currentTimeMillis() < nextMs) {
        progress.show("settling", System.currentTimeMillis() - startMs, boundMs - startMs);
        LockSupport.parkNanos(LOOK_NANOS);
      }
      double after = rondo.compilerCpuSeconds();
      long nowMs = System.currentTimeMillis();
      share = (after - before) * 1000 / (nowMs - beginMs);
      before = after;
      beginMs = nowMs;
    }
  }

  private static Map<String, Double> perMillion(Map<String, Double> cpuSeconds, long points) {
    var each = new LinkedHashMap<String, Double>();
    cpuSeconds.forEach((part, cpu) -> each.put(part, cpu / points * 1e6));
    return each;
  }

  /** Resources used since a start. */
  private record Usage(
      Map<String, Double> cpuSeconds, double compilerCpuSeconds, long kafkaBytes, long walBytes) {
    static Usage of(Rondo rondo, ProcessHandle load, Connection connection)
        throws IOException, SQLException {
      var cpu = new LinkedHashMap<String, Double>();
      cpu.put("loadgen", ProcessCpu.ofTree(load));
      rondo.parts().forEach((part, process) -> cpu.put(part, ProcessCpu.ofTree(process)));
      try (Statement statement = connection.createStatement();
          ResultSet wal = statement.executeQuery("select pg_current_wal_insert_lsn() - '0/0'")) {
        wal.next();
        return new Usage(
            cpu,
            rondo.compilerCpuSeconds(),
            ProcessDisk.written(rondo.parts().get("kafka")),
            wal.getLong(1));
      }
    }

    Usage minus(Usage before) {
      var cpu = new LinkedHashMap<String, Double>();
      cpuSeconds.forEach(
          (part, seconds) -> cpu.put(part, seconds - before.cpuSeconds.getOrDefault(part, 0.0)));
      return new Usage(
          cpu,
          compilerCpuSeconds - before.compilerCpuSeconds,
          kafkaBytes - before.kafkaBytes,
          walBytes - before.walBytes);
    }
  }
}
