package dev.rondo.bench.ingest;

import dev.rondo.bench.ProcessCpu;
import dev.rondo.bench.Progress;
import dev.rondo.harness.Load;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Runs one rate on an initially empty Rondo: is the rate sustained, and what does it cost? */
final class Step {
  private static final String RUN = "bench";

  private static final long LOOK_NANOS = 250_000_000;

  /** A scrape of /metrics costs as much as hundreds of points, so that few are taken. */
  private static final long SCRAPE_MS = 5_000;

  /** Lag growth per second that still counts as steady, as a share of the rate. */
  private static final double STEADY = 0.01;

  /** Largest final lag of a sustained rate, s of points. */
  private static final double MOST_LAG_SECONDS = 5;

  /** The warm-up has the rate divided by this. */
  private static final double WARM_UP_PART = 3;

  private static final long WARM_UP_BOUND_MS = 120_000;

  /** Share of the warm-up's points after which the rest is soon consumed. */
  private static final double SURELY = 0.999;

  /** How long to wait until the last slots are readable. */
  private static final long LAST_SLOTS_MS = 15_000;

  /** Start time of the load generator's JVM. */
  private static final int SETTLE_SECONDS = 10;

  /** The generator continues after the measurement: an ended process has no CPU time. */
  private static final int BEYOND_SECONDS = 1;

  private final Workload workload;
  private final double rate;
  private final int warmUpSeconds;
  private final int seconds;

  Step(Workload workload, int warmUpSeconds, int seconds) {
    this.workload = workload;
    this.rate = workload.rate();
    this.warmUpSeconds = warmUpSeconds;
    this.seconds = seconds;
  }

  /**
   * Result.
   *
   * @param pointsPerSecond consumed by the topology
   * @param cpuSeconds per million points, by part
   * @param residentMb resident memory by part, at the end
   * @param kafkaBytes written to the broker's disk per point
   * @param walBytes WAL of PostgreSQL per point
   * @param visibleP50Ms time from the end of a slot until its value is readable
   * @param lagSeconds lag at the end
   * @param lagGrowth growth of the lag in points per second, as a share of the rate
   * @param verified result of {@code ./rondo verify}; null if not run
   */
  record Result(
      Workload workload,
      double rate,
      double pointsPerSecond,
      Map<String, Double> cpuSeconds,
      Map<String, Long> residentMb,
      double kafkaBytes,
      double walBytes,
      double visibleP50Ms,
      double visibleP99Ms,
      double lagSeconds,
      double lagGrowth,
      boolean isSustained,
      String verified) {

    /** CPU seconds per million points of all parts, without the load generator. */
    double cpuOfRondo() {
      return cpuSeconds.entrySet().stream()
          .filter(part -> !part.getKey().equals("loadgen"))
          .mapToDouble(Map.Entry::getValue)
          .sum();
    }
  }

  Result run(Rondo rondo, boolean verifies, Progress progress)
      throws IOException, InterruptedException, SQLException {
    Path warmUp = warmUp(rondo, progress);
    long warmUpPoints = rondo.points();
    Load load =
        rondo.load(
            RUN,
            "measured",
            workload,
            "--rate=" + rate,
            "--seconds=" + (SETTLE_SECONDS + seconds + BEYOND_SECONDS));
    try (Connection connection = rondo.connect()) {
      long startMs = load.startMs();
      awaitMs(startMs + SETTLE_SECONDS * 1000L, "settling", progress);
      var visible = new Visible(connection, RUN);
      visible.begin();
      var lag = new Lag(startMs, rate, warmUpPoints);
      Usage before = Usage.of(rondo, load.process(), connection);
      long beginMs = System.currentTimeMillis();
      long beginPoints = rondo.points();
      lag.see(beginPoints);
      long endMs = startMs + (SETTLE_SECONDS + seconds) * 1000L;
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
      load.await();
      long boundMs = System.currentTimeMillis() + LAST_SLOTS_MS;
      while (!visible.isComplete() && System.currentTimeMillis() < boundMs) {
        visible.look();
        LockSupport.parkNanos(LOOK_NANOS);
      }
      boolean sustained = lag.growth() < STEADY * rate && lag.newestSeconds() < MOST_LAG_SECONDS;
      return new Result(
          workload,
          rate,
          points / elapsed,
          perMillion(used.cpuSeconds(), points),
          rondo.residentMb(),
          used.kafkaBytes() / (double) points,
          used.walBytes() / (double) points,
          visible.quantile(0.5),
          visible.quantile(0.99),
          lag.newestSeconds(),
          lag.growth() / rate,
          sustained,
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

  private static void awaitMs(long untilMs, String what, Progress progress) {
    long beginMs = System.currentTimeMillis();
    while (System.currentTimeMillis() < untilMs) {
      progress.show(what, System.currentTimeMillis() - beginMs, untilMs - beginMs);
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private static Map<String, Double> perMillion(Map<String, Double> cpuSeconds, long points) {
    var each = new LinkedHashMap<String, Double>();
    cpuSeconds.forEach((part, cpu) -> each.put(part, cpu / points * 1e6));
    return each;
  }

  /** Resources used since a start. */
  private record Usage(Map<String, Double> cpuSeconds, long kafkaBytes, long walBytes) {
    static Usage of(Rondo rondo, ProcessHandle load, Connection connection)
        throws IOException, SQLException {
      var cpu = new LinkedHashMap<String, Double>();
      cpu.put("loadgen", ProcessCpu.ofTree(load));
      rondo.parts().forEach((part, process) -> cpu.put(part, ProcessCpu.ofTree(process)));
      try (Statement statement = connection.createStatement();
          ResultSet wal = statement.executeQuery("select pg_current_wal_insert_lsn() - '0/0'")) {
        wal.next();
        return new Usage(cpu, written(rondo.parts().get("kafka")), wal.getLong(1));
      }
    }

    /** Bytes written by a process, except to sockets. */
    private static long written(ProcessHandle process) throws IOException {
      Path io = Path.of("/proc", Long.toString(process.pid()), "io");
      if (!Files.isReadable(io)) {
        return 0;
      }
      return Files.readAllLines(io).stream()
          .filter(line -> line.startsWith("write_bytes:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .sum();
    }

    Usage minus(Usage before) {
      var cpu = new LinkedHashMap<String, Double>();
      cpuSeconds.forEach(
          (part, seconds) -> cpu.put(part, seconds - before.cpuSeconds.getOrDefault(part, 0.0)));
      return new Usage(cpu, kafkaBytes - before.kafkaBytes, walBytes - before.walBytes);
    }
  }
}
