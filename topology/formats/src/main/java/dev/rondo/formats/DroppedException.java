package dev.rondo.formats;

/**
 * Reports that bytes of a record hold no storable point. Has no stack trace, because a topic may
 * hold a lot of garbage.
 */
public final class DroppedException extends Exception {
  private final transient DropReason reason;

  public DroppedException(DropReason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  public static DroppedException unreadable(String message) {
    return new DroppedException(DropReason.UNREADABLE, message);
  }

  public DropReason reason() {
    return reason;
  }
}
