package dev.rondo.local.settings;

/** What the user can set right. Its message is one line that says what to do. */
public final class UserError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UserError(String message) {
    super(message);
  }
}
