package dev.rondo.tools.send;

import dev.rondo.tools.command.CommandRun;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class SendCommandTest {
  @Test
  void shouldHaveTheHelpOfTheScript() throws IOException {
    CommandRun.hasHelp(SendCommand.commandLine(), "send");
  }
}
