package dev.rondo.local;

import dev.rondo.local.state.State;
import dev.rondo.local.terminal.Terminal;
import java.util.function.Consumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows the progress of a start: a progress bar on a terminal, otherwise a line per step. Also
 * prints every note, even after the start.
 */
final class StartDisplay implements Consumer<State>, AutoCloseable {
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final Terminal terminal;
  private ProgressBar bar;
  private int done;
  private int noted;

  StartDisplay(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public synchronized void accept(State state) {
    for (String note : state.notesAfter(noted)) {
      terminal.line((bar == null ? "" : CLEAR_LINE) + note);
    }
    noted = state.noted;
    if (state.phase.equals(State.STARTING) && state.steps > 0) {
      showStep(state);
    } else {
      finish(state);
    }
  }

  @Override
  public synchronized void close() {
    closeBar();
  }

  private void showStep(State state) {
    if (terminal.isInteractive()) {
      if (bar == null) {
        bar = newBar(state.steps);
      }
      bar.setExtraMessage(String.join(", ", state.begun));
      bar.stepTo(state.started.size());
    } else {
      printNewlyDone(state);
    }
  }

  private void finish(State state) {
    if (!terminal.isInteractive()) {
      printNewlyDone(state);
    }
    closeBar();
    if (state.phase.equals(State.STOPPED)) {
      terminal.line("Rondo has stopped; its data are kept");
    }
  }

  private void printNewlyDone(State state) {
    state.started.entrySet().stream()
        .skip(done)
        .map(step -> String.format("  %-13s up  %5.1f s", step.getKey(), step.getValue()))
        .forEach(terminal::line);
    done = state.started.size();
  }

  private void closeBar() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }

  private static ProgressBar newBar(int steps) {
    return new ProgressBarBuilder()
        .setTaskName("Rondo")
        .setInitialMax(steps)
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis(200)
        .hideEta()
        .build();
  }
}
