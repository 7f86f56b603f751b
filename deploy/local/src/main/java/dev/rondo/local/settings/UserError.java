package dev.rondo.local.settings;

/** An error that the user can correct. Its message says what to do. */
public final class UserError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UserError(String message) {
    super(message);
  }
}
