package dev.rondo.topology.replay;

/** A replay that cannot be: nothing has been changed. Its message says what to do. */
public final class ReplayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isMisuse;

  private ReplayException(boolean isMisuse, String message) {
    super(message);
    this.isMisuse = isMisuse;
  }

  /** What was asked for cannot be, whatever the state of the cluster. */
  public static ReplayException misuse(String message) {
    return new ReplayException(true, message);
  }

  /** The cluster does not allow it as it is now. */
  public static ReplayException refused(String message) {
    return new ReplayException(false, message);
  }

  /** Whether what was asked for could never be. */
  public boolean isMisuse() {
    return isMisuse;
  }
}
