package dev.rondo.tools.deadletters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeadLettersCommandTest {
  @TempDir Path dir;

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

    CommandRun run =
        CommandRun.of(
            Commands.commandLine(new DeadLettersCommand()),
            arguments.replace("FILE", file.toString()).split(" +"));

    assertThat(run.errors()).contains(message).endsWith(" --help\n");
    assertThat(run.code()).isEqualTo(2);
  }
}
