package dev.rondo.local.parts;

import dev.rondo.embedded.Launch;
import dev.rondo.embedded.RunningProcess;
import dev.rondo.embedded.StartFailedException;
import dev.rondo.local.settings.StopMarks;
import dev.rondo.local.state.PartState;
import dev.rondo.local.state.ProcessId;
import dev.rondo.local.state.StateBoard;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Supervises one part: restarts its process when it ends, with {@link BackOff}, which is reset once
 * the part has run for a minute. A part that the user stopped stays stopped.
 */
final class SupervisedPart implements Step {
  private static final Duration STABLE = Duration.ofMinutes(1);

  /** Interval of checks for a stop or start by the user. */
  private static final Duration POLL = Duration.ofMillis(500);

  private static final Duration CLOSE_BOUND = Duration.ofSeconds(30);

  private final Part part;
  private final StateBoard board;
  private final StopMarks stopMarks;
  private final Thread watch;

  private volatile RunningProcess running;
  private volatile boolean closing;
  private int restarts;
  private long logStart;
  private String error; // reason of the last end; null once the part runs again

  SupervisedPart(Part part, StateBoard board, StopMarks stopMarks) {
    this.part = part;
    this.board = board;
    this.stopMarks = stopMarks;
    this.watch = new Thread(this::watch, "supervise-" + part.name());
    this.watch.setDaemon(true);
  }

  @Override
  public String name() {
    return part.name();
  }

  /** Starts the part for the first time. After a failure, the part is not supervised. */
  @Override
  public void start() {
    show(PartState.STARTING, null);
    launch();
    watch.start();
  }

  @Override
  public void close() {
    closing = true;
    watch.interrupt();
    try {
      watch.join(CLOSE_BOUND.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (running != null) {
      running.close();
    }
  }

  private void watch() {
    var backOff = new BackOff();
    try {
      while (!closing) {
        long startNs = System.nanoTime();
        awaitEndOrStop();
        if (closing) {
          return;
        }
        boolean wasStopped = isStopRequested();
        if (wasStopped || System.nanoTime() - startNs > STABLE.toNanos()) {
          backOff = new BackOff();
        }
        if (wasStopped) {
          stayStopped();
        } else {
          ended(backOff, part.name() + " ended", null);
        }
        restart(backOff);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closing
    }
  }

  private boolean isStopRequested() {
    return stopMarks.has(part.name());
  }

  private void awaitEndOrStop() throws InterruptedException {
    var end = running.process().onExit();
    while (!isStopRequested()) {
      try {
        end.get(POLL.toMillis(), TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException e) {
        // still running
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Ends the process and waits until the user restarts the part. */
  private void stayStopped() throws InterruptedException {
    running.close();
    error = null;
    show(PartState.STOPPED, null);
    board.note(part.name() + " was stopped");
    while (isStopRequested()) {
      Thread.sleep(POLL.toMillis());
    }
  }

  /** Retries until the part runs or the user stops it. */
  private void restart(BackOff backOff) throws InterruptedException {
    while (!closing && !isStopRequested()) {
      String what;
      String why = null;
      try {
        restarts++;
        show(PartState.STARTING, null);
        launch();
        board.note(part.name() + " runs again");
        return;
      } catch (StartFailedException e) {
        what = e.summary();
      } catch (RuntimeException e) {
        what = part.name() + " could not be started";
        why = e.getMessage();
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      ended(backOff, what, why);
    }
  }

  /**
   * @param why null: taken from its log
   */
  private void ended(BackOff backOff, String what, String why) throws InterruptedException {
    error = why == null ? FatalLine.of(part.log(), logStart) : why;
    show(PartState.DOWN, null);
    pause(backOff, error == null ? what : what + " (" + error + ")");
  }

  private void pause(BackOff backOff, String reason) throws InterruptedException {
    Duration pause = backOff.next();
    board.note("%s: restart in %d s; log: %s".formatted(reason, pause.toSeconds(), part.log()));
    long until = System.nanoTime() + pause.toNanos();
    while (System.nanoTime() < until && !isStopRequested()) {
      Thread.sleep(POLL.toMillis());
    }
  }

  private void launch() {
    logStart = FatalLine.size(part.log());
    var launch = new Launch(part.log(), process -> show(PartState.STARTING, process));
    running = part.starter().start(launch);
    error = null;
    show(PartState.RUNNING, running.process());
  }

  private void show(String state, ProcessHandle process) {
    var id = process == null ? null : ProcessId.of(process);
    board.change(
        all ->
            all.put(
                part.name(),
                PartState.now(state, id, part.at(), restarts, part.log().toString())
                    .because(error)));
  }
}
