package dev.rondo.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

/**
 * What a command printed.
 *
 * @param code its exit code
 * @param printed its standard output
 */
public record CommandRun(int code, String printed) {
  /** Runs a command. */
  public static CommandRun of(CommandLine command, String... options) {
    var printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    int code;
    try {
      code = command.execute(options);
    } finally {
      System.setOut(before);
    }
    return new CommandRun(code, printed.toString(StandardCharsets.UTF_8));
  }

  /** The output of a command that succeeded. */
  public JsonNode json() throws IOException {
    assertThat(code).as(printed).isZero();
    return new ObjectMapper().readTree(printed);
  }

  /**
   * Checks that a command rejects wrong options, and tells which.
   *
   * @param options separated by spaces
   * @param expected part of the message
   */
  public static void rejects(Object command, String options, String expected) {
    var errors = new StringWriter();

    int code =
        new CommandLine(command)
            .setErr(new PrintWriter(errors, true))
            .execute(options.strip().split(" +"));

    assertThat(code).isEqualTo(ExitCode.USAGE);
    assertThat(errors.toString()).contains(expected);
  }
}
