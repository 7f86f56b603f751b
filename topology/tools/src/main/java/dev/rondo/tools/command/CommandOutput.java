package dev.rondo.tools.command;

import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The standard output of a command. Each line is flushed, for programs that read it. */
@Command // which picocli requires of a class without options
public final class CommandOutput {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** Prints a line. */
  public void line(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }
}
