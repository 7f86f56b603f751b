package dev.rondo.embedded;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * What must not outlive this JVM: closed when it exits, last opened first. Ctrl-C and SIGTERM are
 * such exits, SIGKILL is not.
 */
public final class OpenAtExit {
  private static final Deque<AutoCloseable> OPEN = new ConcurrentLinkedDeque<>();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(OpenAtExit::closeAll, "close-at-exit"));
  }

  private OpenAtExit() {}

  /** Closes {@code part} at exit, unless it is removed before. */
  public static void add(AutoCloseable part) {
    OPEN.push(part);
  }

  /** Takes note that {@code part} is closed already. */
  public static void remove(AutoCloseable part) {
    OPEN.remove(part);
  }

  private static void closeAll() {
    for (AutoCloseable part = OPEN.poll(); part != null; part = OPEN.poll()) {
      try {
        part.close();
      } catch (Exception e) {
        System.err.println("rondo: could not close " + part + ": " + e.getMessage());
      }
    }
  }
}
