package dev.rondo.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** CPU time of processes, s. */
public final class ProcessCpu {
  /** Clock ticks per second in /proc; the same on all Linux platforms of Java. */
  private static final double TICKS_PER_SECOND = 100;

  private static final int UTIME = 11; // index after the name, which is in parentheses
  private static final int CSTIME = 14;

  private ProcessCpu() {}

  /** CPU time of this JVM, including garbage collector and JIT compiler. */
  public static double ofThis() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime()
        / 1e9;
  }

  /** CPU time of {@code parent} and its children; on Linux including ended children. */
  public static double ofTree(ProcessHandle parent) {
    return of(parent) + parent.descendants().mapToDouble(ProcessCpu::of).sum();
  }

  private static double of(ProcessHandle process) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      long ticks = 0;
      for (int field = UTIME; field <= CSTIME; field++) {
        ticks += Long.parseLong(fields[field]);
      }
      return ticks / TICKS_PER_SECOND;
    } catch (IOException e) { // no /proc, or the process has ended
      return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    }
  }
}
