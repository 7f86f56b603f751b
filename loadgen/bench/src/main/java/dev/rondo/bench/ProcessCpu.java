package dev.rondo.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Processor time, s. */
public final class ProcessCpu {
  /** Of /proc; the same on all Linux that Java runs on. */
  private static final double TICKS_PER_SECOND = 100;

  private static final int UTIME = 11; // after the name, which is in brackets
  private static final int CSTIME = 14;

  private ProcessCpu() {}

  /** Of this JVM, with its collector and its compiler. */
  public static double ofThis() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime()
        / 1e9;
  }

  /** Of {@code parent} and its children; on Linux also of those that have ended. */
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
    } catch (IOException e) { // no /proc, or the process has just ended
      return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    }
  }
}
