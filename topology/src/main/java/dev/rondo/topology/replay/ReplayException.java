package dev.rondo.topology.replay;

/** A replay that cannot be: nothing has been changed. Its message says what to do. */
final class ReplayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isMisuse;

  private ReplayException(boolean isMisuse, String message) {
    super(message);
    this.isMisuse = isMisuse;
  }

  /** What was asked for cannot be, whatever the state of the cluster. */
  static ReplayException misuse(String message) {
    return new ReplayException(true, message);
  }

  /** The cluster does not allow it as it is now. */
  static ReplayException refused(String message) {
    return new ReplayException(false, message);
  }

  boolean isMisuse() {
    return isMisuse;
  }
}
