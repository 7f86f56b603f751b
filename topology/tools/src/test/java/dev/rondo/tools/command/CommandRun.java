package dev.rondo.tools.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

  /**
   * Checks the copy of a command's help: the script ./rondo shows it before the first build.
   *
   * @param name of the file, without its ending
   */
  public static void hasHelp(CommandLine command, String name) throws IOException {
    String usage = command.getUsageMessage();
    Path generated = Path.of("target/help", name + ".txt");
    Files.createDirectories(generated.getParent());
    Files.writeString(generated, usage);
    assertThat(Path.of("../../deploy/local/help", name + ".txt"))
        .as("copy topology/tools/target/help/*.txt to deploy/local/help/")
        .hasContent(usage);
  }
}
