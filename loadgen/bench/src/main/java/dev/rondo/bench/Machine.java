package dev.rondo.bench;

import java.lang.management.ManagementFactory;

/** The line about the machine above the figures of a benchmark. */
public final class Machine {
  private Machine() {}

  public static String line() {
    return "%d cores, load %.1f; OpenJDK %s"
        .formatted(
            Runtime.getRuntime().availableProcessors(),
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
            Runtime.version());
  }
}
