package dev.rondo.history.whisper;

/** A file is not a Whisper file, or not a whole one. The message says why, without its path. */
final class UnreadableFileException extends Exception {
  private static final long serialVersionUID = 1L;

  UnreadableFileException(String reason) {
    super(reason);
  }
}
