package dev.rondo.local;

import dev.rondo.local.state.PartState;
import dev.rondo.local.terminal.Terminal;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Stops one part of a running Rondo; the others continue. */
@Command(
    name = "stop",
    description = {
      "Stops one part of a running Rondo, such as the topology.",
      "",
      "It stays stopped until ./rondo start PART or the next ./rondo up. The other parts keep "
          + "running."
    })
final class StopCommand implements Callable<Integer> {
  /** A starting part is stopped once it runs. */
  private static final Duration BOUND = Duration.ofMinutes(3);

  @Mixin private PartOption option;

  private final Terminal terminal = Terminal.standard();

  @Override
  public Integer call() throws InterruptedException {
    option.check(option.state());
    option.home().stopMarks().add(option.part);
    option.await(part -> part.state().equals(PartState.STOPPED), BOUND);
    terminal.line(
        "%s is stopped; ./rondo start %s restarts it".formatted(option.part, option.part));
    return Main.OK;
  }
}
