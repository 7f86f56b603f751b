package dev.rondo.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Resident memory of processes, kB; 0 without {@code /proc}.
 *
 * @param pss each page divided by the number of processes that share it, so that sums are right
 * @param rss each page in full
 */
public record ProcessMemory(long pss, long rss) {
  /** Memory of one process. */
  public static ProcessMemory of(ProcessHandle process) throws IOException {
    Path file = Path.of("/proc", Long.toString(process.pid()), "smaps_rollup");
    var memory = new ProcessMemory(0, 0);
    if (Files.isReadable(file)) {
      for (String line : Files.readAllLines(file)) {
        if (line.startsWith("Pss:")) {
          memory = memory.plus(new ProcessMemory(kb(line), 0));
        } else if (line.startsWith("Rss:")) {
          memory = memory.plus(new ProcessMemory(0, kb(line)));
        }
      }
    }
    return memory;
  }

  /** Memory of {@code parent} and its descendants. */
  public static ProcessMemory ofTree(ProcessHandle parent) throws IOException {
    var memory = new ProcessMemory(0, 0);
    for (ProcessHandle process : Stream.concat(Stream.of(parent), parent.descendants()).toList()) {
      memory = memory.plus(of(process));
    }
    return memory;
  }

  /** The sum of two. */
  public ProcessMemory plus(ProcessMemory other) {
    return new ProcessMemory(pss + other.pss, rss + other.rss);
  }

  private static long kb(String line) {
    return Long.parseLong(line.replaceAll("\\D", ""));
  }
}
