package dev.rondo.client;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Collects the points of each step at its end, and sends its records at their pace. */
final class PaceThread {
  private final Pace pace;
  private final Clock clock;
  private final Metrics metrics;
  private final RecordSender sender;
  private final CountDownLatch ending = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "rondo-client");

  PaceThread(Pace pace, Clock clock, Metrics metrics, RecordSender sender) {
    this.pace = pace;
    this.clock = clock;
    this.metrics = metrics;
    this.sender = sender;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /**
   * Publishes all collected points, and ends the thread.
   *
   * @return whether the producer has them all; false after the timeout
   */
  boolean end(Duration timeout) {
    ending.countDown();
    try {
      thread.join(Math.max(1, timeout.toMillis()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }

  private void run() {
    sender.prepare();
    while (!endsBefore(pace.endAfter(clock.millis()))) {
      long endMs = pace.endBefore(clock.millis());
      send(endMs, metrics.collect(endMs));
    }
    long nowMs = clock.millis();
    sender.sendAll(metrics.collect(pace.endBefore(nowMs)));
    sender.sendAll(metrics.collect(pace.endAfter(nowMs)));
  }

  private void send(long endMs, List<Batch> batches) {
    for (int n = 0; n < batches.size(); n++) {
      endsBefore(
          pace.dueMs(endMs, n, batches.size())); // once the client ends, this no longer waits
      if (!sender.send(batches.get(n))) {
        batches.subList(n + 1, batches.size()).forEach(sender::drop);
        return;
      }
    }
  }

  /** Waits for a time, epoch ms; returns true as soon as the client ends. */
  private boolean endsBefore(long tMs) {
    try {
      return ending.await(tMs - clock.millis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return true; // only the end of the application interrupts this thread
    }
  }
}
