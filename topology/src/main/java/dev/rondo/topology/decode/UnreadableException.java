package dev.rondo.topology.decode;

/** A point's bytes cannot be read; the message says why. Carries no stack: garbage may be much. */
final class UnreadableException extends Exception {
  UnreadableException(String message) {
    super(message, null, false, false);
  }
}
