package dev.rondo.tools.command;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** The progress bar of the commands, for a terminal. */
public final class CommandProgress {
  private CommandProgress() {}

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
}
