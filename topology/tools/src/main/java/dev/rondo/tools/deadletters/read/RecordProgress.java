package dev.rondo.tools.deadletters.read;

import dev.rondo.tools.command.Commands;
import java.util.Map;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows a progress bar on a terminal, and nothing elsewhere. */
public final class RecordProgress implements AutoCloseable {
  private final ProgressBar bar;

  /**
   * @param task name that the bar shows
   * @param records number of records
   */
  public RecordProgress(String task, long records) {
    bar =
        !Commands.isOnTerminal()
            ? null
            : new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(records)
                .setUnit(" records", 1)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(200)
                .showSpeed()
                .build();
  }

  /** Progress of reading from some offsets to others, by partition. */
  public static RecordProgress over(Map<Integer, Long> from, Map<Integer, Long> to) {
    long records = from.keySet().stream().mapToLong(p -> to.get(p) - from.get(p)).sum();
    return new RecordProgress("reading", records);
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
