package dev.rondo.loadgen;

/** What was asked for cannot be. Its message names the option to change. */
final class BadInputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BadInputException(String message) {
    super(message);
  }
}
