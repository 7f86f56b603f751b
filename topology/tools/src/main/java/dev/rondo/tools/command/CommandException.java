package dev.rondo.tools.command;

/**
 * A command cannot do what the user asked for; nothing has been changed. The message says what to
 * do.
 */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isMisuse;

  private CommandException(boolean isMisuse, String message) {
    super(message);
    this.isMisuse = isMisuse;
  }

  /** The request is wrong in any state of the cluster. */
  public static CommandException misuse(String message) {
    return new CommandException(true, message);
  }

  /** The current state of the cluster does not allow the request. */
  public static CommandException refused(String message) {
    return new CommandException(false, message);
  }

  boolean isMisuse() {
    return isMisuse;
  }
}
