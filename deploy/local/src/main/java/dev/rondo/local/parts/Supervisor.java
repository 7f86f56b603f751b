package dev.rondo.local.parts;

import dev.rondo.embedded.OpenAtExit;
import dev.rondo.local.settings.Failures;
import dev.rondo.local.settings.UserError;
import dev.rondo.local.state.State;
import dev.rondo.local.state.StateBoard;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Starts all parts in order, and ends them in reverse order: when closed, when a start fails, or
 * when the JVM ends.
 */
public final class Supervisor implements AutoCloseable {
  private final StateBoard board;
  private final Deque<Step> opened = new ArrayDeque<>();
  private boolean closed;

  public Supervisor(StateBoard board) {
    this.board = board;
  }

  /**
   * Starts all parts and waits until they answer.
   *
   * @throws RuntimeException from the failed step, after all other parts have been ended
   */
  public void start(List<Step> steps) {
    OpenAtExit.addOwner(this); // it ends the parts in order, and their restarts
    try {
      board.change(state -> state.steps = steps.size());
      for (Step step : steps) {
        begin(step);
      }
      board.change(State::up);
    } catch (RuntimeException e) {
      close(State.FAILED, Failures.line(e));
      throw e;
    }
  }

  /** Ends all parts, the last started first. */
  @Override
  public void close() {
    close(State.STOPPED, null);
  }

  private void begin(Step step) {
    board.change(state -> state.doing = step.name());
    synchronized (this) {
      if (closed) {
        throw new UserError("interrupted before all parts were up");
      }
      opened.push(step);
    }
    step.start();
    board.change(state -> state.done++);
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
