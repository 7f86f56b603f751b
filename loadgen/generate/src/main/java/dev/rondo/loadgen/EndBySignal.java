package dev.rondo.loadgen;

import dev.rondo.loadgen.send.Run;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.ExitCode;

/** Ends a run cleanly on Ctrl-C and SIGTERM; the process exits with the exit code of the run. */
final class EndBySignal {
  private static final Duration REPORT_BOUND = Duration.ofSeconds(5);

  private final Run run;
  private final Thread hook = new Thread(this::end, "end-by-signal");
  private final CountDownLatch reported = new CountDownLatch(1);
  private volatile int exitCode = ExitCode.SOFTWARE;

  private EndBySignal(Run run) {
    this.run = run;
  }

  /** Installs the shutdown hook. */
  static EndBySignal of(Run run) {
    var end = new EndBySignal(run);
    Runtime.getRuntime().addShutdownHook(end.hook);
    return end;
  }

  private void end() {
    try {
      run.stop();
      reported.await(REPORT_BOUND.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(exitCode);
  }

  /** Call when the run has ended and its summary is printed. */
  void done(int code) {
    exitCode = code;
    reported.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // the hook is running, and exits with the code
    }
  }
}
