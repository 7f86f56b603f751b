package dev.rondo.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The script shows help before anything is built: from a file that must know every option. */
class HelpTest {
  @Test
  void shouldTellOfEveryCommandAndOptionAndItsDefault() throws IOException {
    String help = Files.readString(Path.of("../../deploy/local/help/bench.txt"));
    for (CommandLine command : Bench.commandLine().getSubcommands().values()) {
      assertThat(help).contains("./rondo bench " + command.getCommandName() + " ");
      for (OptionSpec option : command.getCommandSpec().options()) {
        assertThat(help).contains("      " + option.longestName());
        if (option.defaultValue() != null) {
          assertThat(help).contains(option.defaultValue());
        }
      }
    }
  }
}
