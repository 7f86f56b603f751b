package dev.rondo.bench;

/** Ends a command with a one-line error message. */
public final class BenchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BenchException(String message) {
    super(message);
  }
}
