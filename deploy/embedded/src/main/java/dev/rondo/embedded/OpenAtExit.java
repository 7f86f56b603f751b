package dev.rondo.embedded;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Closes resources when this JVM exits, in reverse order of opening. Handles Ctrl-C and SIGTERM,
 * but not SIGKILL.
 */
public final class OpenAtExit {
  private static final Deque<AutoCloseable> OWNERS = new ConcurrentLinkedDeque<>();
  private static final Deque<AutoCloseable> OPEN = new ConcurrentLinkedDeque<>();
  private static volatile boolean exiting;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(OpenAtExit::closeAll, "close-at-exit"));
  }

  private OpenAtExit() {}

  /**
   * Closes {@code part} at exit, unless it is removed.
   *
   * @return false if the JVM is already exiting, so that it may not be closed
   */
  public static boolean add(AutoCloseable part) {
    OPEN.push(part);
    return !exiting;
  }

  /** Closes {@code owner}, which closes its own resources, at exit before all non-owners. */
  public static void addOwner(AutoCloseable owner) {
    OWNERS.push(owner);
  }

  /** Removes a closed resource. */
  public static void remove(AutoCloseable closed) {
    OWNERS.remove(closed);
    OPEN.remove(closed);
  }

  /** Whether this JVM is exiting, which explains failures. */
  public static boolean isExiting() {
    return exiting;
  }

  private static void closeAll() {
    exiting = true;
    closeAll(OWNERS);
    closeAll(OPEN);
  }

  private static void closeAll(Deque<AutoCloseable> open) {
    for (AutoCloseable part = open.poll(); part != null; part = open.poll()) {
      try {
        part.close();
      } catch (Exception e) {
        System.err.println("rondo: could not close " + part + ": " + e.getMessage());
      }
    }
  }
}
