package dev.rondo.loadgen.send;

import java.io.PrintStream;
import java.time.Duration;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows the progress of a run on standard error: a progress bar on a terminal, otherwise a line
 * every ten seconds.
 */
public interface Display extends AutoCloseable {
  /** Called periodically, always by the same thread. */
  void show(Snapshot now);

  @Override
  void close();

  /** A bar on a terminal, lines elsewhere. */
  static Display of(boolean isInteractive, PrintStream err) {
    return isInteractive ? new Bar() : new Lines(err);
  }

  /** Redrawn in place. */
  final class Bar implements Display {
    private final ProgressBar bar =
        new ProgressBarBuilder()
            .setTaskName("loadgen")
            .setUnit(" points", 1)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(200)
            .build();

    @Override
    public void show(Snapshot now) {
      bar.maxHint(now.allTurns());
      bar.stepTo(now.turns());
      bar.setExtraMessage(numbers(now));
    }

    @Override
    public void close() {
      bar.close();
    }
  }

  /** A line every ten seconds. */
  final class Lines implements Display {
    private static final long EVERY_NANOS = Duration.ofSeconds(10).toNanos();

    private final PrintStream err;
    private long nextNanos = EVERY_NANOS;

    Lines(PrintStream err) {
      this.err = err;
    }

    @Override
    public void show(Snapshot now) {
      if (now.nanos() >= nextNanos) {
        nextNanos += EVERY_NANOS;
        err.println("  %d of %d points, %s".formatted(now.turns(), now.allTurns(), numbers(now)));
      }
    }

    @Override
    public void close() {}
  }

  private static String numbers(Snapshot now) {
    String failed = now.failed() == 0 ? "" : ", failed %d".formatted(now.failed());
    return "%.0f/s, lag %d ms%s".formatted(now.rate(), now.lagMs(), failed);
  }
}
