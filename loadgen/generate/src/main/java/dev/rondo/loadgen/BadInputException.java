package dev.rondo.loadgen;

/** An invalid option value. The message names the value and the option to change. */
final class BadInputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BadInputException(String message) {
    super(message);
  }
}
