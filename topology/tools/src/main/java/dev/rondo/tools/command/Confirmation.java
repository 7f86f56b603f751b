package dev.rondo.tools.command;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;

/** Asks before a command deletes or renames. */
public final class Confirmation {
  private Confirmation() {}

  /**
   * Returns if the answer is yes.
   *
   * @param nothingDone what to say otherwise
   * @throws CommandException if it is not, or if nobody can answer
   */
  public static void ask(String question, String nothingDone) throws IOException {
    if (!Commands.isOnTerminal()) {
      throw CommandException.refused(nothingDone + ": this is not a terminal (--yes)");
    }
    System.out.print(question);
    System.out.flush();
    var in = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
    if (!"yes".equals(in.readLine())) {
      throw CommandException.refused(nothingDone);
    }
  }
}
