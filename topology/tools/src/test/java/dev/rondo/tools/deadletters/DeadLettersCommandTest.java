package dev.rondo.tools.deadletters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class DeadLettersCommandTest {
  @TempDir Path dir;

  /** The script ./rondo shows this help before the first build, so it has a copy. */
  @ParameterizedTest
  @CsvSource({"dead-letters", "dead-letters-resend"})
  void shouldMatchTheHelpOfTheScript(String name) throws IOException {
    CommandLine list = DeadLettersCommand.commandLine();
    CommandLine command = name.endsWith("resend") ? list.getSubcommands().get("resend") : list;
    Path generated = Path.of("target/help", name + ".txt");
    Files.createDirectories(generated.getParent());
    Files.writeString(generated, command.getUsageMessage());
    assertThat(Path.of("../../deploy/local/help", name + ".txt"))
        .as("copy topology/tools/target/help/*.txt to deploy/local/help/")
        .hasContent(command.getUsageMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          --limit 0 --config FILE               | limit 0 is less than 1 (--limit); ./rondo dead-letters --help
          --json --summary --config FILE        | mutually exclusive
          --reason unreadible --config FILE     | did you mean 'unreadable'? (--reason); ./rondo dead-letters --help
          --reason late --config FILE           | 'late' is not a reason of dead letters
          --from never --config FILE            | 'never' is not a time
          --config nowhere                      | there is no readable file nowhere (--config)
          resend --reason x --config FILE       | (--reason); ./rondo dead-letters resend --help
          resend --dir nowhere                  | there is no readable file nowhere/topology/topology.properties
          resend --limit 3 --config FILE        | Unknown option
          """)
  void shouldReportWrongUsage(String arguments, String message) throws IOException {
    Path file = dir.resolve("topology.properties");
    Files.writeString(file, "bootstrap.servers=nowhere:1\nstate.dir=state\n");
    var printed = new ByteArrayOutputStream();
    PrintStream err = System.err;
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      int code =
          DeadLettersCommand.commandLine()
              .execute(arguments.replace("FILE", file.toString()).split(" +"));
      assertThat(printed.toString(StandardCharsets.UTF_8)).contains(message).endsWith(" --help\n");
      assertThat(code).isEqualTo(2);
    } finally {
      System.setErr(err);
    }
  }
}
