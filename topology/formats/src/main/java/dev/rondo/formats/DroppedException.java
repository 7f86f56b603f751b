package dev.rondo.formats;

/**
 * Thrown when bytes of a record hold no point that can be stored; the message says why. Has no
 * stack trace, as a topic may hold a lot of garbage.
 */
public final class DroppedException extends Exception {
  private final transient DropReason reason;

  public DroppedException(DropReason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  /** The bytes are not of the format. */
  public static DroppedException unreadable(String message) {
    return new DroppedException(DropReason.UNREADABLE, message);
  }

  public DropReason reason() {
    return reason;
  }
}
