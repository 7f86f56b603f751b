package dev.rondo.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** CPU time of processes, s. */
public final class ProcessCpu {
  /** Clock ticks per second in /proc; the same on all Linux platforms of Java. */
  private static final double TICKS_PER_SECOND = 100;

  private static final int UTIME = 11; // index after the name, which is in parentheses
  private static final int CSTIME = 14;

  /** Names of HotSpot's compiler threads, as the operating system cuts them. */
  private static final Pattern COMPILER = Pattern.compile("\\(C[12] Compiler");

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

  /** CPU time of the JIT compilers of {@code parent} and its children; 0 without {@code /proc}. */
  public static double ofCompilers(ProcessHandle parent) {
    return Stream.concat(Stream.of(parent), parent.descendants())
        .mapToDouble(ProcessCpu::compilersOf)
        .sum();
  }

  private static double compilersOf(ProcessHandle process) {
    Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
    try (Stream<Path> each = Files.list(threads)) {
      return each.mapToDouble(ProcessCpu::ofThreadIfCompiler).sum();
    } catch (IOException e) { // no /proc, or the process has ended
      return 0;
    }
  }

  private static double ofThreadIfCompiler(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      return COMPILER.matcher(stat).find() ? seconds(stat) : 0;
    } catch (IOException e) { // the thread has ended
      return 0;
    }
  }

  /** CPU time of one process; on Linux including ended children. */
  public static double of(ProcessHandle process) {
    try {
      return seconds(Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat")));
    } catch (IOException e) { // no /proc, or the process has ended
      return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    }
  }

  /** CPU time by a line of {@code /proc/PID/stat} or {@code /proc/PID/task/TID/stat}. */
  private static double seconds(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long ticks = 0;
    for (int field = UTIME; field <= CSTIME; field++) {
      ticks += Long.parseLong(fields[field]);
    }
    return ticks / TICKS_PER_SECOND;
  }
}
