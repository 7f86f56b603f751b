package dev.rondo.local.parts;

import dev.rondo.local.settings.Plan;
import dev.rondo.local.settings.StopMarks;
import dev.rondo.local.settings.UserError;
import dev.rondo.local.state.PartState;
import dev.rondo.local.state.StateBoard;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Keeps the sink connector running inside Connect: creates it at the start, checks it every two
 * seconds and restarts failed tasks, with {@link BackOff}, which is reset once it has run for a
 * minute.
 */
public final class ConnectorReconciler implements Step {
  public static final String NAME = "sink";

  private static final Duration POLL = Duration.ofSeconds(2);
  private static final Duration START_POLL = Duration.ofMillis(250);
  private static final Duration START_BOUND = Duration.ofMinutes(2);

  /** A restarted task is RUNNING until its first put fails, so RUNNING alone does not reset. */
  private static final Duration STABLE = Duration.ofMinutes(1);

  /** A worker that has just started briefly reports the previous state. */
  private static final Duration FAILURE_CONFIRMED = Duration.ofSeconds(10);

  private final SinkConnector connector;
  private final StateBoard board;
  private final Path log;
  private final StopMarks stopMarks;
  private final Thread watch = new Thread(this::watch, "reconcile-sink");

  private String shown = "";
  private int restarts;
  private BackOff backOff = new BackOff();
  private long runsSince;
  private long notBefore = System.nanoTime();

  /**
   * @param log log file of the Connect worker
   */
  ConnectorReconciler(SinkConnector connector, StateBoard board, Path log, StopMarks stopMarks) {
    this.connector = connector;
    this.board = board;
    this.log = log;
    this.stopMarks = stopMarks;
    this.watch.setDaemon(true);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void start() {
    show(PartState.STARTING);
    try {
      long deadline = System.nanoTime() + START_BOUND.toNanos();
      putBy(deadline);
      awaitRunningBy(deadline);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UserError("interrupted before the sink ran");
    }
    show(PartState.RUNNING);
    watch.start();
  }

  @Override
  public void close() {
    watch.interrupt();
  }

  private void putBy(long deadline) throws InterruptedException {
    while (true) {
      try {
        connector.put();
        return;
      } catch (SinkConnector.RejectedException e) {
        throw new UserError("Connect rejected the sink's config: " + e.getMessage());
      } catch (IOException e) {
        pauseUntil(deadline, e.getMessage()); // such as 409 while the worker joins its group
      }
    }
  }

  private void awaitRunningBy(long deadline) throws InterruptedException {
    long failedSince = 0;
    while (true) {
      String why;
      try {
        var status = connector.status();
        if (status.runs()) {
          return;
        }
        failedSince = status.failed() && failedSince == 0 ? System.nanoTime() : failedSince;
        boolean forGood =
            status.failed() && System.nanoTime() - failedSince > FAILURE_CONFIRMED.toNanos();
        if (forGood) {
          throw new UserError("the sink failed: %s; log: %s".formatted(status.trace(), log));
        }
        why =
            status.paused()
                ? "it is paused; PUT /connectors/NAME/resume of Connect resumes it"
                : "its tasks are not running yet";
      } catch (IOException e) {
        why = e.getMessage();
      }
      pauseUntil(deadline, why);
    }
  }

  private void pauseUntil(long deadline, String why) throws InterruptedException {
    if (System.nanoTime() > deadline) {
      throw new UserError(
          "the sink did not run within %d s: %s; log: %s"
              .formatted(START_BOUND.toSeconds(), why, log));
    }
    Thread.sleep(START_POLL.toMillis());
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(POLL.toMillis());
        reconcile();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closing
    }
  }

  private void reconcile() throws InterruptedException {
    try {
      var status = connector.status();
      if (status.runs()) {
        show(PartState.RUNNING);
        runsSince = runsSince == 0 ? System.nanoTime() : runsSince;
        if (System.nanoTime() - runsSince > STABLE.toNanos()) {
          backOff = new BackOff();
        }
      } else if (status.paused()) {
        show(PartState.PAUSED);
        runsSince = 0;
      } else if (status.failed() || !status.exists()) {
        show(PartState.DOWN, status.trace());
        runsSince = 0;
        repair(status);
      }
    } catch (IOException e) { // Connect does not answer: its SupervisedPart reports that
      show(stopMarks.has(Plan.CONNECT) ? PartState.STOPPED : PartState.DOWN);
    }
  }

  private void repair(SinkConnector.Status status) throws IOException, InterruptedException {
    if (System.nanoTime() < notBefore) {
      return;
    }
    notBefore = System.nanoTime() + backOff.next().toNanos();
    restarts++;
    if (status.exists()) {
      board.note("the sink failed (%s): restarted".formatted(status.trace()));
      connector.restartFailed();
    } else {
      board.note("the sink connector was missing: created again");
      connector.put();
    }
  }

  private void show(String state) {
    show(state, "");
  }

  private void show(String state, String error) {
    if (!shown.equals(state + error)) {
      shown = state + error;
      var now = PartState.now(state, null, null, restarts, log.toString());
      board.change(all -> all.put(NAME, error.isEmpty() ? now : now.because(error)));
    }
  }
}
