package dev.rondo.formats;

/**
 * Bytes of a record hold no point that could be stored; the message says why. Carries no stack:
 * garbage may be much.
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
