package dev.rondo.bench.postgres;

/** Ends a command with one line. */
final class BenchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BenchException(String message) {
    super(message);
  }
}
