package dev.rondo.local.parts;

import dev.rondo.embedded.OpenAtExit;
import dev.rondo.local.settings.Failures;
import dev.rondo.local.settings.UserError;
import dev.rondo.local.state.State;
import dev.rondo.local.state.StateBoard;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Starts all parts, concurrently if they do not depend on each other, and ends them in reverse
 * order: when closed, when a start fails, or when the JVM ends.
 */
public final class Supervisor implements AutoCloseable {
  private final StateBoard board;
  private final Deque<Step> opened = new ArrayDeque<>();
  private boolean closed;
  private volatile boolean failed;

  public Supervisor(StateBoard board) {
    this.board = board;
  }

  /**
   * Starts all parts and waits until they answer.
   *
   * @param steps each after its dependencies
   * @throws RuntimeException from a failed step, after running steps are done and all parts ended
   */
  public void start(List<Planned> steps) {
    OpenAtExit.addOwner(this); // ends the parts in order, and their restarts
    try {
      board.change(state -> state.steps = steps.size());
      startAll(steps);
      board.change(State::up);
    } catch (RuntimeException e) {
      close(State.FAILED, Failures.line(e));
      throw e;
    }
  }

  /** Ends all parts in reverse start order. */
  @Override
  public void close() {
    close(State.STOPPED, null);
  }

  private void startAll(List<Planned> steps) {
    Map<String, CompletableFuture<Void>> started = new HashMap<>();
    for (Planned planned : steps) {
      Step step = planned.step();
      var needed = planned.needs().stream().map(started::get).filter(Objects::nonNull);
      started.put(
          step.name(),
          CompletableFuture.allOf(needed.toArray(CompletableFuture<?>[]::new))
              .thenRunAsync(
                  () -> run(step), run -> new Thread(run, "start-" + step.name()).start()));
    }
    try {
      CompletableFuture.allOf(started.values().toArray(CompletableFuture<?>[]::new)).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    }
  }

  private void run(Step step) {
    if (!mayBegin(step)) {
      return;
    }
    try {
      long start = System.nanoTime();
      board.change(state -> state.begun.add(step.name()));
      step.start();
      board.change(state -> state.started(step.name(), (System.nanoTime() - start) / 1e9));
    } catch (RuntimeException e) {
      failed = true;
      throw e;
    }
  }

  /** Whether the step may begin; false after a failure. */
  private synchronized boolean mayBegin(Step step) {
    if (closed) {
      throw new UserError("interrupted before all parts were running");
    }
    if (!failed) {
      opened.push(step);
    }
    return !failed;
  }

  private void close(String phase, String failure) {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
    OpenAtExit.remove(this);
    board.change(state -> state.ended(phase, failure));
  }
}
