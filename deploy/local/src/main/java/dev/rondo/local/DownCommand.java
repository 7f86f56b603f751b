package dev.rondo.local;

import dev.rondo.embedded.FileTree;
import dev.rondo.embedded.PostgresServer;
import dev.rondo.local.parts.OrphanedParts;
import dev.rondo.local.settings.Home;
import dev.rondo.local.settings.Plan;
import dev.rondo.local.settings.UserError;
import dev.rondo.local.state.State;
import dev.rondo.local.state.StateFile;
import dev.rondo.local.terminal.Terminal;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Ends a Rondo in the foreground or background, and parts whose supervisor was killed. */
@Command(
    name = "down",
    description = {
      "Stops the Rondo of a data folder.",
      "",
      "Keeps the data unless --wipe is given."
    })
final class DownCommand implements Callable<Integer> {
  /** Parts end sequentially, each within its own timeout. */
  private static final Duration END_BOUND = Duration.ofMinutes(3);

  @Mixin private HomeOption option;

  @Option(names = "--wipe", description = "Remove the data folder afterwards without confirmation.")
  private boolean wipe;

  private final Terminal terminal = Terminal.standard();

  @Override
  public Integer call() {
    Home home = option.home();
    State state =
        StateFile.read(home)
            .orElseThrow(
                () ->
                    new UserError(
                        "no Rondo in %s: there is no rondo.json (--dir)".formatted(home.dir())));
    terminal.line(end(home, state));
    if (wipe) {
      remove(home);
      terminal.line("removed " + home.dir());
    }
    return Main.OK;
  }

  private static String end(Home home, State state) {
    boolean supervised = state.isSupervised();
    if (supervised) {
      OrphanedParts.end(state.supervisor.find().orElseThrow(), END_BOUND);
    }
    State afterwards = StateFile.read(home).orElseGet(State::new);
    int orphans = afterwards.isSupervised() ? 0 : OrphanedParts.end(afterwards);
    if (supervised || orphans > 0) {
      afterwards.ended(State.STOPPED, null);
      StateFile.write(home, afterwards);
      return supervised
          ? "stopped Rondo in %s".formatted(home.dir())
          : "stopped %d parts in %s that ran without a supervisor".formatted(orphans, home.dir());
    }
    return "no Rondo runs in " + home.dir();
  }

  private static void remove(Home home) {
    try {
      PostgresServer.deleteElsewhere(home.of(Plan.POSTGRES));
      FileTree.delete(home.dir());
    } catch (IOException e) {
      throw new UserError("could not remove %s: %s".formatted(home.dir(), e.getMessage()));
    }
  }
}
