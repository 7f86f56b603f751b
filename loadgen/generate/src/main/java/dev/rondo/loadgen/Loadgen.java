package dev.rondo.loadgen;

import dev.rondo.connection.command.CommandLines;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParseResult;

/** Runs {@link LoadgenCommand} in this process. */
public final class Loadgen {
  private Loadgen() {}

  /** Runs the command after its name, and exits with its code. */
  public static void main(String[] arguments) {
    CommandLines.logBy(CommandLines.FAILURES);
    CommandLines.run(name -> commandLine(), arguments);
  }

  public static CommandLine commandLine() {
    return CommandLines.of(new LoadgenCommand()).setExecutionExceptionHandler(Loadgen::report);
  }

  private static int report(Exception failure, CommandLine command, ParseResult parsed) {
    if (failure instanceof BadInputException) {
      return CommandLines.misused(command, failure.getMessage());
    }
    boolean isWrapped =
        (failure instanceof ExecutionException || failure instanceof KafkaException)
            && failure.getCause() != null;
    Throwable cause = isWrapped ? failure.getCause() : failure;
    command
        .getErr()
        .println(CommandLines.PREFIX + (cause.getMessage() == null ? cause : cause.getMessage()));
    return ExitCode.SOFTWARE;
  }
}
