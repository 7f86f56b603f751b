package dev.rondo.history;

import dev.rondo.tools.command.CommandRun;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class PoliciesCommandTest {
  @ParameterizedTest
  @ValueSource(strings = {"show", "diff", "apply", "fill", "prune", "import"})
  void shouldMatchTheHelpOfTheScript(String name) throws IOException {
    CommandLine command = PoliciesCommand.commandLine();
    CommandRun.hasHelp(command, "policies");
    CommandRun.hasHelp(command.getSubcommands().get(name), "policies-" + name);
  }
}
