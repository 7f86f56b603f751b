package dev.rondo.bench.ingest;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of the commands that measure a load: how long its parts take, seconds. */
public final class Timing {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description =
          "Time at a third of the rate before the measurement (default: ${DEFAULT-VALUE}).")
  private int warmUp;

  @Option(
      names = "--settle",
      paramLabel = "SECONDS",
      defaultValue = "240",
      description =
          "Maximum time at the full rate before the measurement, until the JIT compilers "
              + "take less than 3 %% of a core (default: ${DEFAULT-VALUE}).")
  private int settle;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "Duration of the measurement (default: ${DEFAULT-VALUE}).")
  private int measured;

  /** The seconds of the warm-up, which has a third of the rate. */
  public int warmUp() {
    return warmUp;
  }

  /** The seconds that are measured. */
  public int measured() {
    return measured;
  }

  /**
   * Checks the options.
   *
   * @throws ParameterException if one is too small
   */
  public void check() {
    atLeast(1, warmUp, "--warm-up");
    atLeast(10, settle, "--settle");
    atLeast(10, measured, "--seconds");
  }

  private void atLeast(int minimum, int value, String option) {
    if (value < minimum) {
      throw new ParameterException(
          spec.commandLine(), "%s: %d is less than %d".formatted(option, value, minimum));
    }
  }

  /** The step that measures a workload for these times. */
  public Step step(Workload workload) {
    return new Step(workload, warmUp, settle, measured);
  }
}
