package dev.rondo.local.settings;

import dev.rondo.embedded.StartFailedException;

/** Formats error messages for users. */
public final class Failures {
  private Failures() {}

  /** Returns what failed, and why: one line, unless a {@link UserError} has several. */
  public static String line(Throwable failure) {
    if (failure instanceof StartFailedException start) {
      return start.summary();
    }
    if (failure instanceof UserError) {
      return failure.getMessage();
    }
    String message = failure.getMessage();
    if (message == null) {
      return failure.getClass().getSimpleName();
    }
    Throwable cause = failure.getCause();
    boolean hasReason =
        cause != null && cause.getMessage() != null && !message.contains(cause.getMessage());
    return oneLine(hasReason ? message + ": " + cause.getMessage() : message);
  }

  /** Joins lines by a space. */
  public static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
