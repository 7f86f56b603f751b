package dev.rondo.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A process and its descendants at one moment, as descendants cannot be found after the process
 * ends.
 *
 * @param members the process itself first
 */
public record ProcessTree(List<ProcessHandle> members) {
  private static final Duration POLL = Duration.ofMillis(20);

  /** The kernel needs some time to end a process with much memory. */
  private static final Duration KILL_BOUND = Duration.ofSeconds(30);

  public static ProcessTree of(ProcessHandle root) {
    return new ProcessTree(Stream.concat(Stream.of(root), root.descendants()).toList());
  }

  /** Whether a process still runs. Ignores zombies, which can exist forever in a container. */
  public static boolean isAlive(ProcessHandle process) {
    return process.isAlive() && !isZombie(process.pid());
  }

  /**
   * Sends SIGKILL to all, the process itself last, so that no descendant can react to its end;
   * returns when all are gone.
   */
  public void kill() {
    for (int k = members.size() - 1; k >= 0; k--) {
      members.get(k).destroyForcibly();
    }
    endsWithin(KILL_BOUND);
  }

  /**
   * Waits until all end; returns whether they did within {@code bound}. Returns early if
   * interrupted.
   */
  public boolean endsWithin(Duration bound) {
    long deadline = System.nanoTime() + bound.toNanos();
    try {
      while (members.stream().anyMatch(ProcessTree::isAlive)) {
        if (System.nanoTime() > deadline) {
          return false;
        }
        Thread.sleep(POLL.toMillis());
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return members.stream().noneMatch(ProcessTree::isAlive);
    }
  }

  /**
   * Reads field 3 of /proc/PID/stat, after the last ), which ends the arbitrary name in field 2.
   */
  private static boolean isZombie(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return stat.startsWith(") Z", stat.lastIndexOf(')'));
    } catch (IOException e) {
      return false; // no /proc, or the process is gone
    }
  }
}
