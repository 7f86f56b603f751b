package dev.rondo.loadgen.send;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Has a run shown and its plan saved, now and then, beside it. */
final class Reports implements AutoCloseable {
  private static final long SHOW_MS = 200;
  private static final long SAVE_MS = 2_000;

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread daemon = new Thread(task, "reports");
            daemon.setDaemon(true);
            return daemon;
          });

  /** A plan that cannot be saved is not tried again: its last save, at the end, fails loudly. */
  @SuppressWarnings("FutureReturnValueIgnored")
  void start(Runnable show, Runnable save) {
    thread.scheduleWithFixedDelay(show, SHOW_MS, SHOW_MS, TimeUnit.MILLISECONDS);
    thread.scheduleWithFixedDelay(save, SAVE_MS, SAVE_MS, TimeUnit.MILLISECONDS);
  }

  /** Returns when none is under way any more. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      thread.awaitTermination(SAVE_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
