package dev.rondo.local.settings;

/** Reports an error that the user can correct. Its message contains the remedy. */
public final class UserError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UserError(String message) {
    super(message);
  }
}
