package dev.rondo.history.whisper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.history.backfill.BackfillCommand;
import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WhisperCommandTest {
  @ParameterizedTest
  @CsvSource({
    "whisper absent, there is no folder absent (DIR)",
    "whisper . --workers=0, 0 workers are less than 1 (--workers)",
    "whisper . --rate=0, 0 rows a second are less than 1 (--rate)",
    "whisper . --until=soon, is not a time",
    "whisper . --until=2999-01-01, which is still to come"
  })
  void shouldTellWhatIsWrong(String arguments, String error) {
    CommandRun run =
        CommandRun.of(Commands.commandLine(new BackfillCommand()), arguments.split(" ", -1));
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.errors()).contains(error);
  }
}
