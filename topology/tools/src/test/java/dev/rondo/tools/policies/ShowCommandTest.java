package dev.rondo.tools.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShowCommandTest {
  /** A job would write the slots of one Rondo into the database of another. */
  @Test
  void shouldNotTakeTheDatabaseOfTheCloneForAnotherTopology(@TempDir Path clone)
      throws IOException {
    Path up = Files.createDirectory(clone.resolve(".rondo"));
    Files.writeString(
        up.resolve("rondo.json"), "{\"postgres\": \"postgresql://rondo@127.0.0.1:1/clone\"}");
    Path other = Files.writeString(clone.resolve("other.properties"), "state.dir=state\n");
    System.setProperty("rondo.root", clone.toString());
    try {
      CommandRun run =
          CommandRun.of(
              Commands.commandLine(new ShowCommand()), "--fills", "--config", other.toString());

      assertThat(run.errors()).contains("the database is missing (--postgres)");
      assertThat(run.code()).isEqualTo(2);
    } finally {
      System.clearProperty("rondo.root");
    }
  }
}
