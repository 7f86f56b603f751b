package dev.rondo.history.job;

import dev.rondo.tools.command.CommandProgress;
import java.util.function.Consumer;
import me.tongfei.progressbar.ProgressBar;

/** Shows how far a job is: a progress bar on a terminal, otherwise a line every ten seconds. */
final class JobProgress implements JobRun.Listener, AutoCloseable {
  private static final long LINE_NANOS = 10_000_000_000L;

  private final boolean isInteractive;
  private final Consumer<String> out;
  private ProgressBar bar;
  private JobState.Phase phase;
  private long lineNanos;

  JobProgress(boolean isInteractive, Consumer<String> out) {
    this.isInteractive = isInteractive;
    this.out = out;
  }

  @Override
  public void at(Job job, JobState state) {
    boolean isOther = state.phase() != phase;
    phase = state.phase();
    if (isInteractive && phase == JobState.Phase.READING) {
      if (bar == null) {
        bar = CommandProgress.bar(job.id(), "records", job.records());
      }
      bar.stepTo(state.read());
    } else if (isOther || System.nanoTime() - lineNanos > LINE_NANOS) {
      close();
      lineNanos = System.nanoTime();
      out.accept(JobText.line(job, state));
    }
  }

  @Override
  public void line(String text) {
    close();
    out.accept(text);
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
