package dev.rondo.bench;

/** Ends a command with one line. */
public final class BenchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BenchException(String message) {
    super(message);
  }
}
