package dev.rondo.local;

/** What the user can set right. Its message is one line that says what to do. */
final class UserError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UserError(String message) {
    super(message);
  }
}
