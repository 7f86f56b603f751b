package dev.rondo.topology.check;

/** A check that cannot be made as things are. Its message says what to do. */
final class CheckException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CheckException(String message) {
    super(message);
  }
}
