package dev.rondo.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A process and its descendants at one moment; once the process is gone, descendants cannot be
 * found.
 *
 * @param members the process itself first
 */
public record ProcessTree(List<ProcessHandle> members) {
  private static final Duration LOOK = Duration.ofMillis(20);

  /** The kernel takes some time to end a process with much memory. */
  private static final Duration KILL_BOUND = Duration.ofSeconds(30);

  public static ProcessTree of(ProcessHandle root) {
    return new ProcessTree(Stream.concat(Stream.of(root), root.descendants()).toList());
  }

  /**
   * Whether a process still runs. A zombie does not count: below a container's first process it may
   * exist forever.
   */
  public static boolean isAlive(ProcessHandle process) {
    return process.isAlive() && !isZombie(process.pid());
  }

  /**
   * SIGKILL to all, the process itself last, so that no descendant can react to its end; returns
   * when all are gone.
   */
  public void kill() {
    for (int k = members.size() - 1; k >= 0; k--) {
      members.get(k).destroyForcibly();
    }
    endsWithin(KILL_BOUND);
  }

  /** Whether all end within {@code bound}; an interrupt also ends the wait. */
  public boolean endsWithin(Duration bound) {
    long deadline = System.nanoTime() + bound.toNanos();
    try {
      while (members.stream().anyMatch(ProcessTree::isAlive)) {
        if (System.nanoTime() > deadline) {
          return false;
        }
        Thread.sleep(LOOK.toMillis());
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return members.stream().noneMatch(ProcessTree::isAlive);
    }
  }

  /** Field 3 of /proc/PID/stat; field 2, the name, may hold anything and ends with the last ). */
  private static boolean isZombie(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return stat.startsWith(") Z", stat.lastIndexOf(')'));
    } catch (IOException e) {
      return false; // no /proc, or the process is gone
    }
  }
}
