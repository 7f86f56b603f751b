package dev.rondo.tools.deadletters;

import dev.rondo.tools.command.Commands;
import java.util.Map;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A progress bar on a terminal; elsewhere nothing. */
final class RecordProgress implements AutoCloseable {
  private final ProgressBar bar;

  /**
   * @param task what is done
   * @param most how many there are
   */
  RecordProgress(String task, long most) {
    bar =
        !Commands.isOnTerminal()
            ? null
            : new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(most)
                .setUnit(" records", 1)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(200)
                .showSpeed()
                .build();
  }

  /** Of all records from some offsets to others, by partition. */
  static RecordProgress over(Map<Integer, Long> from, Map<Integer, Long> to) {
    long records = from.keySet().stream().mapToLong(p -> to.get(p) - from.get(p)).sum();
    return new RecordProgress("reading", records);
  }

  void step() {
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
