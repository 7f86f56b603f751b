package dev.rondo.local;

import dev.rondo.local.settings.UserError;
import dev.rondo.local.state.PartState;
import dev.rondo.local.terminal.Terminal;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "start",
    description = {
      "Starts a part that ./rondo stop PART stopped.",
      "",
      "The topology rereads its settings, sources and policies."
    })
final class StartCommand implements Callable<Integer> {
  /** Longer than any part's start timeout. */
  private static final Duration BOUND = Duration.ofMinutes(3);

  @Mixin private PartOption option;

  private final Terminal terminal = Terminal.standard();

  @Override
  public Integer call() throws InterruptedException {
    option.check(option.state());
    boolean wasStopped = option.home().stopMarks().remove(option.part);
    PartState part = option.await(now -> now.runs() || now.state().equals(PartState.DOWN), BOUND);
    if (!part.runs()) {
      throw new UserError(
          "%s could not be started%s; the supervisor keeps trying; log: %s"
              .formatted(option.part, part.error() == null ? "" : ": " + part.error(), part.log()));
    }
    terminal.line(option.part + (wasStopped ? " is running again" : " is already running"));
    return Main.OK;
  }
}
