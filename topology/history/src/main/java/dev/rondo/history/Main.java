package dev.rondo.history;

import dev.rondo.connection.command.CommandLines;
import dev.rondo.history.backfill.BackfillCommand;
import dev.rondo.history.replay.ReplayCommand;
import dev.rondo.history.whisper.VerifyWhisperCommand;
import dev.rondo.tools.access.AclsCommand;
import dev.rondo.tools.check.CheckCommand;
import dev.rondo.tools.command.Commands;
import dev.rondo.tools.deadletters.DeadLettersCommand;
import dev.rondo.tools.events.EventsCommand;
import dev.rondo.tools.send.SendCommand;
import dev.rondo.tools.series.SeriesCommand;
import dev.rondo.tools.size.SizeCommand;
import dev.rondo.tools.why.WhyCommand;
import picocli.CommandLine;

/** The commands about a topology: those of this module and of the tools. */
public final class Main {
  private Main() {}

  /** Runs the command that the first argument names, and exits with its code. */
  public static void main(String[] arguments) {
    CommandLines.logBy(CommandLines.FAILURES);
    CommandLines.run(Main::commandLine, arguments);
  }

  /**
   * The command of this name, ready to be executed; null = there is none. A switch loads the
   * classes of this command only, which is most of the time that a short command takes.
   */
  public static CommandLine commandLine(String name) {
    Object command =
        switch (name) {
          case "acls" -> new AclsCommand();
          case "backfill" -> new BackfillCommand();
          case "check" -> new CheckCommand();
          case "dead-letters" -> new DeadLettersCommand();
          case "events" -> new EventsCommand();
          case "policies" -> new PoliciesCommand();
          case "replay" -> new ReplayCommand();
          case "send" -> new SendCommand();
          case "series" -> new SeriesCommand();
          case "size" -> new SizeCommand();
          case "verify" -> new VerifyWhisperCommand();
          case "why" -> new WhyCommand();
          default -> null;
        };
    return command == null ? null : Commands.commandLine(command);
  }
}
