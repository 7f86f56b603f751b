package dev.rondo.connection.kafka;

import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Detects that the machine's clock was set back. The timers of existing Kafka clients and of Kafka
 * Streams then stop until the clock has caught up: after a step of one hour they send no heartbeat
 * and commit nothing for an hour. New clients are not affected.
 */
public final class ClockWatch implements AutoCloseable {
  private static final long PERIOD_MS = 500;

  /** Longest tolerated pause of clients, ms: less than a session timeout. */
  private static final long MAX_BACK_MS = 3_000;

  private final InstantSource clock;
  private final Consumer<Duration> onSetBack;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(ClockWatch::daemon);

  /** The latest time of the clock since the last step back, epoch ms. */
  private long latestMs;

  /**
   * Creates a watch that is not running yet.
   *
   * @param onSetBack receives the size of a step back
   */
  ClockWatch(InstantSource clock, Consumer<Duration> onSetBack) {
    this.clock = clock;
    this.onSetBack = onSetBack;
    this.latestMs = clock.millis();
  }

  /**
   * Checks the machine's clock twice a second.
   *
   * @param onSetBack receives the size of each step back, once; must not throw
   */
  @SuppressWarnings("FutureReturnValueIgnored") // check does not throw
  public static ClockWatch start(Consumer<Duration> onSetBack) {
    ClockWatch watch = new ClockWatch(Clock.systemUTC(), onSetBack);
    watch.executor.scheduleWithFixedDelay(watch::check, 0, PERIOD_MS, TimeUnit.MILLISECONDS);
    return watch;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "clock-watch");
    thread.setDaemon(true);
    return thread;
  }

  void check() {
    long nowMs = clock.millis();
    long backMs = latestMs - nowMs;
    if (backMs > MAX_BACK_MS) {
      latestMs = nowMs;
      onSetBack.accept(Duration.ofMillis(backMs));
    }
    latestMs = Math.max(latestMs, nowMs);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
