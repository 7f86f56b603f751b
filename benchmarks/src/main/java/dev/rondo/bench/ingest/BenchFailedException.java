package dev.rondo.bench.ingest;

/** What is measured did not come up, or broke; the message is for people. */
final class BenchFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BenchFailedException(String message) {
    super(message);
  }
}
