package dev.rondo.topology.saturation;

import dev.rondo.topology.lag.Lag;
import dev.rondo.topology.lag.Stage;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures every five seconds how close this instance is to the rate of points that it can process.
 *
 * <p>It exports two numbers. <em>Response time ratio</em>: the time from the arrival of points
 * until they are decoded, divided by the time since they were fetched. A busy instance that keeps
 * up has 1 to 3; the ratio grows while points queue up. <em>Maximum points per second</em>: the
 * rate at which points would use up the CPU of the machine or of a stream thread, by their cost so
 * far ({@link CostLine}). Other load on the machine counts as if it grew with the points.
 */
public final class Saturation implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Saturation.class);
  private static final long PERIOD_MS = 5_000;

  private final Lag lag;
  private final CpuUse cpu = new CpuUse();
  private final CostLine machine = new CostLine();
  private final CostLine thread = new CostLine();
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(Saturation::daemon);
  private Lag.Totals fetched = Lag.Totals.NONE;
  private Lag.Totals decoded = Lag.Totals.NONE;
  private long updatedNanos = System.nanoTime();
  private volatile double ratio = 1;
  private volatile double rate;
  private volatile double maxRate = Double.NaN;

  private Saturation(Lag lag) {
    this.lag = lag;
  }

  /** Starts measuring and exports the metrics. */
  @SuppressWarnings("FutureReturnValueIgnored") // update catches its exceptions
  public static Saturation start(Lag lag, MeterRegistry registry) {
    var saturation = new Saturation(lag);
    Gauge.builder("rondo.saturation.response.time.ratio", () -> saturation.ratio)
        .description(
            "Time from the arrival of points until they are decoded, divided by the time"
                + " since they were fetched; grows while points queue up")
        .register(registry);
    Gauge.builder("rondo.saturation.points.per.second", () -> saturation.rate)
        .description("Points decoded per second")
        .register(registry);
    Gauge.builder("rondo.saturation.max.points.per.second", () -> saturation.maxRate)
        .description(
            "Estimate of the points per second that would use up the CPU of the machine or"
                + " of a stream thread; NaN before the first points")
        .register(registry);
    saturation.executor.scheduleAtFixedRate(
        saturation::update, PERIOD_MS, PERIOD_MS, TimeUnit.MILLISECONDS);
    return saturation;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "saturation");
    thread.setDaemon(true);
    return thread;
  }

  private void update() {
    try {
      long nowNanos = System.nanoTime();
      double seconds = (nowNanos - updatedNanos) / 1e9;
      updatedNanos = nowNanos;
      Lag.Totals nowFetched = lag.totals(Stage.FETCHED);
      Lag.Totals nowDecoded = lag.totals(Stage.DECODED);
      Lag.Totals done = nowDecoded.minus(decoded);
      ratio = ResponseTime.ratio(nowFetched.minus(fetched), done, lag.oldestSeconds());
      fetched = nowFetched;
      decoded = nowDecoded;
      rate = done.points() / seconds;
      cpu.update(seconds);
      if (done.points() > 0) {
        machine.add(rate, cpu.machineShare());
        thread.add(rate, cpu.busiestThreadShare());
        maxRate = Math.min(machine.rateAt(1), thread.rateAt(1));
      }
    } catch (RuntimeException e) {
      LOG.warn("Failed to measure the saturation; retrying in {} ms", PERIOD_MS, e);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
