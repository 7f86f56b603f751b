package dev.rondo.local;

import dev.rondo.embedded.FileTree;
import dev.rondo.local.parts.LeftBehind;
import dev.rondo.local.settings.Home;
import dev.rondo.local.settings.Installation;
import dev.rondo.local.settings.UserError;
import dev.rondo.local.state.State;
import dev.rondo.local.state.StateFile;
import dev.rondo.local.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Ends a Rondo, however it was started, and what a killed one left behind. */
@Command(
    name = "down",
    sortOptions = false,
    customSynopsis = "./rondo down [--dir=DIR] [--wipe]",
    description = "%nStops the Rondo of a data folder; its data stay unless --wipe is given.%n")
final class DownCommand implements Callable<Integer> {
  /** All parts one after the other, each within its own bound. */
  private static final Duration END_BOUND = Duration.ofMinutes(3);

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Data folder (default: .rondo in the clone).")
  private Path dir;

  @Option(names = "--wipe", description = "Remove the data folder afterwards, without asking.")
  private boolean wipe;

  private final Terminal terminal = Terminal.standard();

  @Override
  public Integer call() {
    var home = new Home(dir == null ? Installation.current().defaultDir() : dir);
    State state =
        StateFile.read(home)
            .orElseThrow(
                () ->
                    new UserError(
                        "no Rondo in %s: it holds no rondo.json (--dir)".formatted(home.dir())));
    terminal.line(end(home, state));
    if (wipe) {
      remove(home.dir());
      terminal.line("removed " + home.dir());
    }
    return Rondo.OK;
  }

  private static String end(Home home, State state) {
    boolean supervised = state.isSupervised();
    if (supervised) {
      LeftBehind.end(state.supervisor.find().orElseThrow(), END_BOUND);
    }
    State afterwards = StateFile.read(home).orElseGet(State::new);
    int leftBehind = afterwards.isSupervised() ? 0 : LeftBehind.end(afterwards);
    if (supervised || leftBehind > 0) {
      afterwards.ended(State.STOPPED, null);
      StateFile.write(home, afterwards);
      return supervised
          ? "Rondo in %s has ended".formatted(home.dir())
          : "ended %d parts in %s whose supervisor was gone".formatted(leftBehind, home.dir());
    }
    return "no Rondo runs in " + home.dir();
  }

  private static void remove(Path folder) {
    try {
      FileTree.delete(folder);
    } catch (IOException e) {
      throw new UserError("could not remove %s: %s".formatted(folder, e.getMessage()));
    }
  }
}
