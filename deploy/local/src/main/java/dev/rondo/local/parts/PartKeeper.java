package dev.rondo.local.parts;

import dev.rondo.embedded.Launch;
import dev.rondo.embedded.ProcessTree;
import dev.rondo.embedded.RunningProcess;
import dev.rondo.embedded.StartFailedException;
import dev.rondo.local.settings.StopMarks;
import dev.rondo.local.state.PartState;
import dev.rondo.local.state.ProcessId;
import dev.rondo.local.state.StateBoard;
import java.time.Duration;

/**
 * Keeps one part alive: when its process ends it is started again, after a pause that doubles from
 * 1 s to 30 s and is short again once the part has run for a minute. While the user wants it
 * stopped it stays stopped.
 */
final class PartKeeper implements Step {
  private static final Duration STABLE = Duration.ofMinutes(1);
  private static final Duration LOOK = Duration.ofMillis(100);
  private static final Duration CLOSE_BOUND = Duration.ofSeconds(30);

  private final Part part;
  private final StateBoard board;
  private final StopMarks stopMarks;
  private final Thread watch;

  private volatile RunningProcess running;
  private volatile boolean closing;
  private int restarts;

  PartKeeper(Part part, StateBoard board, StopMarks stopMarks) {
    this.part = part;
    this.board = board;
    this.stopMarks = stopMarks;
    this.watch = new Thread(this::watch, "keep-" + part.name());
    this.watch.setDaemon(true);
  }

  @Override
  public String name() {
    return part.name();
  }

  /** The first start: if it fails, nothing is kept. */
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
        long began = System.nanoTime();
        awaitEndOrStop();
        if (closing) {
          return;
        }
        boolean wasStopped = isWantedStopped();
        if (wasStopped || System.nanoTime() - began > STABLE.toNanos()) {
          backOff = new BackOff();
        }
        if (wasStopped) {
          rest();
        } else {
          show(PartState.DOWN, null);
          pause(backOff, part.name() + " ended");
        }
        startAgain(backOff);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closing
    }
  }

  private boolean isWantedStopped() {
    return stopMarks.has(part.name());
  }

  private void awaitEndOrStop() throws InterruptedException {
    while (ProcessTree.isAlive(running.process()) && !isWantedStopped()) {
      Thread.sleep(LOOK.toMillis());
    }
  }

  /** Ends the process; returns when the user wants the part again. */
  private void rest() throws InterruptedException {
    running.close();
    show(PartState.STOPPED, null);
    board.note(part.name() + " was stopped");
    while (isWantedStopped()) {
      Thread.sleep(LOOK.toMillis());
    }
  }

  /** Until it runs, or the user wants it stopped. */
  private void startAgain(BackOff backOff) throws InterruptedException {
    while (!closing && !isWantedStopped()) {
      String reason;
      try {
        restarts++;
        show(PartState.STARTING, null);
        launch();
        board.note(part.name() + " runs again");
        return;
      } catch (StartFailedException e) {
        reason = e.summary();
      } catch (RuntimeException e) {
        reason = part.name() + " could not be started: " + e.getMessage();
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      show(PartState.DOWN, null);
      pause(backOff, reason);
    }
  }

  private void pause(BackOff backOff, String reason) throws InterruptedException {
    Duration pause = backOff.next();
    board.note(
        "%s: started again in %d s; log: %s".formatted(reason, pause.toSeconds(), part.log()));
    long until = System.nanoTime() + pause.toNanos();
    while (System.nanoTime() < until && !isWantedStopped()) {
      Thread.sleep(LOOK.toMillis());
    }
  }

  private void launch() {
    var launch = new Launch(part.log(), process -> show(PartState.STARTING, process));
    running = part.starter().start(launch);
    show(PartState.RUNNING, running.process());
  }

  private void show(String state, ProcessHandle process) {
    var id = process == null ? null : ProcessId.of(process);
    board.change(
        all ->
            all.put(
                part.name(), PartState.now(state, id, part.at(), restarts, part.log().toString())));
  }
}
