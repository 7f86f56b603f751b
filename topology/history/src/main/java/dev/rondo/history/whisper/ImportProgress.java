package dev.rondo.history.whisper;

import dev.rondo.tools.command.CommandProgress;
import java.time.Duration;
import java.util.function.Consumer;
import me.tongfei.progressbar.ProgressBar;

/**
 * Shows how many files are written: a progress bar on a terminal, otherwise a line every ten
 * seconds. Thread-safe.
 */
final class ImportProgress implements AutoCloseable {
  private static final long LINE_INTERVAL_NS = Duration.ofSeconds(10).toNanos();

  private final long files;
  private final Consumer<String> out;
  private final ProgressBar bar;
  private final long startNs = System.nanoTime();
  private long lastLineNs = startNs;
  private long done;

  ImportProgress(long files, boolean isInteractive, Consumer<String> out) {
    this.files = files;
    this.out = out;
    this.bar = isInteractive ? CommandProgress.bar("import", "files", files) : null;
  }

  /** So many files more are done. */
  synchronized void add(long more) {
    done += more;
    long nowNs = System.nanoTime();
    if (bar != null) {
      bar.stepTo(done);
    } else if (nowNs - lastLineNs > LINE_INTERVAL_NS) {
      lastLineNs = nowNs;
      out.accept(
          "  %d of %d files, %.0f files/s".formatted(done, files, done * 1e9 / (nowNs - startNs)));
    }
  }

  double seconds() {
    return (System.nanoTime() - startNs) / 1e9;
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
