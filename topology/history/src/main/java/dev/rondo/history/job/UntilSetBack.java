package dev.rondo.history.job;

import dev.rondo.connection.kafka.ClockWatch;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;

/**
 * Runs a step until it ends or the clock of this machine is set back: then it interrupts the step,
 * whose Kafka clients would stand still until the clock has caught up.
 */
final class UntilSetBack {
  private Thread runs;
  private Duration back = Duration.ZERO;

  /** What is run; it makes its own clients, and can be run again after it was interrupted. */
  interface Step {
    void run() throws IOException, SQLException, ExecutionException, InterruptedException;
  }

  /**
   * Runs a step in this thread.
   *
   * @return how far the clock was set back; zero if the step has ended
   */
  @SuppressWarnings("try") // the watch is only closed
  Duration run(Step step)
      throws IOException, SQLException, ExecutionException, InterruptedException {
    begin();
    try (ClockWatch watch = ClockWatch.start(this::interrupt)) {
      step.run();
      return Duration.ZERO;
    } catch (Exception e) {
      if (end().isZero()) {
        throw e;
      }
      return back;
    } finally {
      end();
    }
  }

  private synchronized void begin() {
    runs = Thread.currentThread();
    back = Duration.ZERO;
  }

  synchronized void interrupt(Duration setBack) {
    if (runs != null) {
      back = setBack;
      runs.interrupt();
    }
  }

  /** From here on nothing is interrupted. */
  private synchronized Duration end() {
    runs = null;
    if (!back.isZero()) {
      Thread.interrupted();
    }
    return back;
  }
}
