package dev.rondo.history.whisper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.history.backfill.BackfillCommand;
import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class WhisperCommandTest {
  /** The script shows help before anything is built: from files that must know every option. */
  @Test
  void shouldTellOfEveryOption() throws IOException {
    CommandLine whisper = BackfillCommand.commandLine().getSubcommands().get("whisper");
    String help = help("backfill-whisper");
    for (OptionSpec option : whisper.getCommandSpec().options()) {
      assertThat(help).contains("      " + option.longestName());
    }
    CommandLine verify = Commands.commandLine(new VerifyWhisperCommand());
    for (OptionSpec option : verify.getCommandSpec().options()) {
      assertThat(help("verify") + help).contains("      " + option.longestName());
    }
  }

  private static String help(String command) throws IOException {
    return Files.readString(Path.of("../../deploy/local/help", command + ".txt"));
  }

  @ParameterizedTest
  @CsvSource({
    "whisper absent, there is no folder absent (DIR)",
    "whisper . --workers=0, 0 workers are less than 1 (--workers)",
    "whisper . --rate=0, 0 rows a second are less than 1 (--rate)",
    "whisper . --until=soon, is not a time",
    "whisper . --until=2999-01-01, which is still to come"
  })
  void shouldTellWhatIsWrong(String arguments, String error) {
    CommandRun run = CommandRun.of(BackfillCommand.commandLine(), arguments.split(" ", -1));
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.errors()).contains(error);
  }
}
