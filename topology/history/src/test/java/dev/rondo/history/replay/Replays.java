package dev.rondo.history.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.tools.command.Commands;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Replays of a topology that is stopped. */
public final class Replays {
  private Replays() {}

  /** Rewinds topics to their beginning. */
  public static void toEarliest(Path settings, String... topics) {
    List<String> arguments = new ArrayList<>(List.of("--config=" + settings, "--to-earliest"));
    for (String topic : topics) {
      arguments.add("--topic=" + topic);
    }
    assertThat(Commands.commandLine(new ReplayCommand()).execute(arguments.toArray(String[]::new)))
        .isZero();
  }
}
