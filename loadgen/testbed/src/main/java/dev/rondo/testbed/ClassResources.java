package dev.rondo.testbed;

import java.util.ArrayDeque;
import java.util.Deque;

/** What the current test class uses of the shared servers; closed in reverse order after it. */
final class ClassResources {
  private static final Deque<AutoCloseable> OPEN = new ArrayDeque<>();

  private ClassResources() {}

  static synchronized void add(AutoCloseable resource) {
    OPEN.push(resource);
  }

  /** A failure is printed only: the servers end with the run. */
  static synchronized void close() {
    while (!OPEN.isEmpty()) {
      AutoCloseable resource = OPEN.pop();
      try {
        resource.close();
      } catch (Exception e) {
        System.err.println("testbed: could not remove " + resource + ": " + e);
      }
    }
  }
}
