package dev.rondo.connection.kafka;

import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Finds that the machine's clock was set back. The timers of Kafka's clients and of Kafka Streams
 * stand still until the clock has caught up: after an hour back they send no heartbeat and commit
 * nothing for an hour. Those of clients that are made then do not.
 */
public final class ClockWatch implements AutoCloseable {
  private static final long PERIOD_MS = 500;

  /** For so long clients may stand still, ms: less than a session timeout. */
  private static final long MAX_BACK_MS = 3_000;

  private final InstantSource clock;
  private final Consumer<Duration> setBack;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(ClockWatch::daemon);

  /** The latest time that the clock has shown since it was found set back, epoch ms. */
  private long latestMs;

  /**
   * A watch that does not run yet.
   *
   * @param setBack receives how far the clock was set back
   */
  ClockWatch(InstantSource clock, Consumer<Duration> setBack) {
    this.clock = clock;
    this.setBack = setBack;
    this.latestMs = clock.millis();
  }

  /**
   * Looks at the machine's clock twice a second.
   *
   * @param setBack receives how far the clock was set back, once each time; throws nothing
   */
  @SuppressWarnings("FutureReturnValueIgnored") // look throws nothing
  public static ClockWatch start(Consumer<Duration> setBack) {
    ClockWatch watch = new ClockWatch(Clock.systemUTC(), setBack);
    watch.executor.scheduleWithFixedDelay(watch::look, 0, PERIOD_MS, TimeUnit.MILLISECONDS);
    return watch;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "clock-watch");
    thread.setDaemon(true);
    return thread;
  }

  void look() {
    long nowMs = clock.millis();
    long backMs = latestMs - nowMs;
    if (backMs > MAX_BACK_MS) {
      latestMs = nowMs;
      setBack.accept(Duration.ofMillis(backMs));
    }
    latestMs = Math.max(latestMs, nowMs);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
