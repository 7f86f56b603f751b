package dev.rondo.tools.command;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows a progress bar on a terminal, and nothing elsewhere. */
public final class CommandProgress implements AutoCloseable {
  private final ProgressBar bar; // null elsewhere

  /** As {@link #bar}. */
  public CommandProgress(String task, String unit, long max) {
    this.bar = Commands.isOnTerminal() ? bar(task, unit, max) : null;
  }

  /**
   * A bar with its speed.
   *
   * @param task its name
   * @param unit of what is counted, such as records
   * @param max at the end
   */
  public static ProgressBar bar(String task, String unit, long max) {
    return new ProgressBarBuilder()
        .setTaskName(task)
        .setInitialMax(max)
        .setUnit(" " + unit, 1)
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis(200)
        .showSpeed()
        .build();
  }

  public void step() {
    if (bar != null) {
      bar.step();
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
