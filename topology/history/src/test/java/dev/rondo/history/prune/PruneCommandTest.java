package dev.rondo.history.prune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PruneCommandTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          soon  | 'soon' is not a length of time like 500ms, 10s, 1m, 6h, 7d or 1y (--older-than)
          200y  | 200y is longer than 36500d (--older-than)
          """)
  void shouldReportAWrongSpan(String span, String message) {
    CommandRun run =
        CommandRun.of(
            Commands.commandLine(new PruneCommand()),
            "--postgres=postgresql://rondo@127.0.0.1:1/rondo",
            "--older-than=" + span);

    assertThat(run.errors()).contains(message);
    assertThat(run.code()).isEqualTo(2);
  }
}
