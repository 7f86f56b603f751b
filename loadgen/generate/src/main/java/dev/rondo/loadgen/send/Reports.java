package dev.rondo.loadgen.send;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Shows the progress of a run and saves its plan periodically, in a background thread. */
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

  /** A failed save is not repeated: the final save, at the end of the run, fails loudly. */
  @SuppressWarnings("FutureReturnValueIgnored")
  void start(Runnable show, Runnable save) {
    thread.scheduleWithFixedDelay(show, SHOW_MS, SHOW_MS, TimeUnit.MILLISECONDS);
    thread.scheduleWithFixedDelay(save, SAVE_MS, SAVE_MS, TimeUnit.MILLISECONDS);
  }

  /** Waits for a report in progress. */
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
