package dev.rondo.bench.peers;

import dev.rondo.bench.ProcessCpu;
import dev.rondo.bench.ProcessDisk;
import dev.rondo.bench.ProcessMemory;
import dev.rondo.bench.Progress;
import dev.rondo.bench.ingest.Lag;
import dev.rondo.bench.ingest.Timing;
import dev.rondo.bench.ingest.Workload;
import dev.rondo.harness.Load;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs the loads of {@code ./rondo bench ingest} on VictoriaMetrics: a warm-up at a third of the
 * rate, some seconds to settle, and the measurement.
 */
final class VictoriaRun {
  private static final String RUN = "bench";
  private static final double WARM_UP_PART = 3;
  private static final long LOOK_NANOS = 250_000_000;
  private static final long SCRAPE_MS = 5_000;
  private static final int SETTLE_SECONDS = 10;

  /** The generator continues after the measurement: an ended process has no CPU time. */
  private static final int BEYOND_SECONDS = 1;

  private static final long LAST_POINTS_MS = 15_000;

  private final VictoriaMetrics store;
  private final Workload workload;
  private final Timing timing;
  private final int runs;

  VictoriaRun(VictoriaMetrics store, Workload workload, Timing timing, int runs) {
    this.store = store;
    this.workload = workload;
    this.timing = timing;
    this.runs = runs;
  }

  Figures measure(Progress progress) throws IOException, InterruptedException {
    double rate = workload.rate();
    store
        .load(
            RUN,
            "warm-up",
            workload,
            "--rate=" + rate / WARM_UP_PART,
            "--seconds=" + timing.warmUp())
        .await();
    long warmUpPoints = store.points();
    Load load =
        store.load(
            RUN,
            "measured",
            workload,
            "--rate=" + rate,
            "--seconds=" + (SETTLE_SECONDS + timing.measured() + BEYOND_SECONDS));
    long startMs = load.startMs();
    try (var probe = new Probe(store)) {
      var lag = new Lag(startMs, rate, warmUpPoints);
      while (System.currentTimeMillis() < startMs + SETTLE_SECONDS * 1000L) {
        LockSupport.parkNanos(LOOK_NANOS);
      }
      Usage before = Usage.of(store, load);
      long beginMs = System.currentTimeMillis();
      long endMs = startMs + (SETTLE_SECONDS + timing.measured()) * 1000L;
      long scrapedMs = beginMs;
      lag.see(before.points());
      while (System.currentTimeMillis() < endMs && !load.isOver()) {
        if (System.currentTimeMillis() - scrapedMs >= SCRAPE_MS) {
          scrapedMs = System.currentTimeMillis();
          lag.see(store.points());
        }
        probe.look();
        progress.show(
            "%,.0f points/s".formatted(rate),
            System.currentTimeMillis() - beginMs,
            endMs - beginMs);
        LockSupport.parkNanos(LOOK_NANOS);
      }
      Usage after = Usage.of(store, load);
      lag.see(after.points());
      double elapsed = (System.currentTimeMillis() - beginMs) / 1000.0;
      long residentMb = ProcessMemory.ofTree(store.process()).pss() / 1024;
      load.await();
      awaitLast(probe);
      Map<String, Double> questionMs =
          History.send(workload, store::load)
              .ask(VictoriaMetrics.NAME, store.api(), runs, progress);
      long stored = store.points();
      store.stop();
      double millions = (after.points() - before.points()) / 1e6;
      return new Figures(
          VictoriaMetrics.NAME,
          1e6 * millions / elapsed,
          lag.isSustained(),
          Map.of("victoria-metrics", (after.cpu() - before.cpu()) / millions),
          (after.generatorCpu() - before.generatorCpu()) / millions,
          residentMb,
          (after.written() - before.written()) / (1e6 * millions),
          store.valueBytes() / (double) stored,
          store.indexBytes() / (double) (workload.series() + History.SERIES),
          probe.quantile(0.5),
          probe.quantile(0.99),
          questionMs,
          null);
    }
  }

  private static void awaitLast(Probe probe) throws IOException, InterruptedException {
    long boundMs = System.currentTimeMillis() + LAST_POINTS_MS;
    while (!probe.isComplete() && System.currentTimeMillis() < boundMs) {
      probe.look();
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private record Usage(long points, double cpu, double generatorCpu, long written) {
    static Usage of(VictoriaMetrics store, Load load) throws IOException, InterruptedException {
      return new Usage(
          store.points(),
          ProcessCpu.ofTree(store.process()),
          ProcessCpu.ofTree(load.process()),
          ProcessDisk.written(store.process()));
    }
  }
}
