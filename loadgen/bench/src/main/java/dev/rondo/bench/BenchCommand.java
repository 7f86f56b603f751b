package dev.rondo.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command of {@code ./rondo bench} that checks its options, and can print its result as JSON. */
public abstract class BenchCommand implements Callable<Integer> {
  @Option(names = "--json", description = "Print JSON, for programs.")
  protected boolean json;

  @Spec private CommandSpec spec;

  /**
   * Requires that the options fit.
   *
   * @throws ParameterException with the message, if they do not
   */
  protected final void require(boolean holds, String message) {
    if (!holds) {
      throw misuse(message);
    }
  }

  /** Requires that an option is within bounds, both included. */
  protected final void requireBetween(String option, double value, double least, double most) {
    require(
        value >= least && value <= most,
        "%s: %s is not %s..%s".formatted(option, text(value), text(least), text(most)));
  }

  protected final void requireAtLeast(String option, double value, double least) {
    require(value >= least, "%s: %s is less than %s".formatted(option, text(value), text(least)));
  }

  private static String text(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }

  /** Prints the result: as JSON if that is asked for, else by {@code asText}. */
  protected final void print(Object result, Runnable asText) throws IOException {
    if (json) {
      System.out.println(new ObjectMapper().writeValueAsString(result));
    } else {
      asText.run();
    }
  }

  /** An exception that ends the command as wrongly used. */
  protected final ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
