package dev.rondo.loadgen;

import dev.rondo.loadgen.send.Run;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.ExitCode;

/**
 * Ends a run in good order on Ctrl-C and SIGTERM: the process ends with the run's own exit code.
 */
final class EndBySignal {
  private static final Duration TELL_BOUND = Duration.ofSeconds(5);

  private final Run run;
  private final Thread hook = new Thread(this::end, "end-by-signal");
  private final CountDownLatch told = new CountDownLatch(1);
  private volatile int exitCode = ExitCode.SOFTWARE;

  private EndBySignal(Run run) {
    this.run = run;
  }

  /** From now on. */
  static EndBySignal of(Run run) {
    var end = new EndBySignal(run);
    Runtime.getRuntime().addShutdownHook(end.hook);
    return end;
  }

  private void end() {
    try {
      run.stop();
      told.await(TELL_BOUND.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(exitCode);
  }

  /** The run has ended and all is told. */
  void done(int code) {
    exitCode = code;
    told.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // it is just running, and ends the process with the code
    }
  }
}
