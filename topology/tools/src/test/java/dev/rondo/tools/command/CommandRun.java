package dev.rondo.tools.command;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/**
 * What a command did.
 *
 * @param code its exit code
 * @param printed its standard output
 * @param errors its standard error
 */
public record CommandRun(int code, String printed, String errors) {
  /** Runs a command. */
  public static CommandRun of(CommandLine command, String... arguments) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    PrintStream outBefore = System.out;
    PrintStream errBefore = System.err;
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    command.setExecutionStrategy(new CommandLine.RunLast()); // the former remembers System.err
    int code;
    try {
      code = command.execute(arguments);
    } finally {
      System.setOut(outBefore);
      System.setErr(errBefore);
    }
    return new CommandRun(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
