package dev.rondo.tools.command;

/** What was asked of a command cannot be: nothing has been changed. Its message says what to do. */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isMisuse;

  private CommandException(boolean isMisuse, String message) {
    super(message);
    this.isMisuse = isMisuse;
  }

  /** What was asked for cannot be, whatever the state of the cluster. */
  public static CommandException misuse(String message) {
    return new CommandException(true, message);
  }

  /** The cluster does not allow it as it is now. */
  public static CommandException refused(String message) {
    return new CommandException(false, message);
  }

  boolean isMisuse() {
    return isMisuse;
  }
}
