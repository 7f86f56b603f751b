package dev.rondo.bench;

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

  /** An exception that ends the command as wrongly used. */
  protected final ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
