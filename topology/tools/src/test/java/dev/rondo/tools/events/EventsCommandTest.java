package dev.rondo.tools.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import org.junit.jupiter.api.Test;

class EventsCommandTest {
  @Test
  void shouldNotDeleteAllByMistake() {
    CommandRun run = CommandRun.of(Commands.commandLine(new EventsCommand()), "--delete", "--yes");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.errors()).contains("which events to delete is not said", "--from=0 are all");
  }

  @Test
  void shouldNameTheOptionOfAWrongTime() {
    CommandRun run = CommandRun.of(Commands.commandLine(new EventsCommand()), "--until=soon");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.errors()).contains("'soon' is not a time", "(--until)");
  }
}
