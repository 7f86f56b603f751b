package dev.rondo.loadgen.send;

import java.io.PrintStream;
import java.time.Duration;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows how far a run is, on standard error: a bar on a terminal, a line now and then elsewhere.
 */
public interface Display extends AutoCloseable {
  /** Is told every now and then, by one thread. */
  void show(Snapshot now);

  @Override
  void close();

  /** The one that suits. */
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
