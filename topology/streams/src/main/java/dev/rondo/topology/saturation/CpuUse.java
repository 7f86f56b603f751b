package dev.rondo.topology.saturation;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;

/** The use of CPU since the last look: of the machine or container, and of its stream threads. */
final class CpuUse {
  private static final String STREAM_THREAD = "-StreamThread-";

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private Map<Long, Long> nanosByThread = Map.of();
  private double machineShare;
  private double busiestThreadShare;

  /**
   * Looks again.
   *
   * @param seconds since the last look
   */
  void look(double seconds) {
    machineShare = Math.max(0, system.getCpuLoad());
    Map<Long, Long> now = new HashMap<>();
    long busiestNanos = 0;
    for (ThreadInfo info : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (info != null && info.getThreadName().contains(STREAM_THREAD)) {
        long id = info.getThreadId();
        long nanos = Math.max(0, threads.getThreadCpuTime(id)); // -1: it has ended
        now.put(id, nanos);
        busiestNanos = Math.max(busiestNanos, nanos - nanosByThread.getOrDefault(id, 0L));
      }
    }
    nanosByThread = now;
    busiestThreadShare = busiestNanos / 1e9 / seconds;
  }

  /** Share of all cores that all processes have used, 0..1. */
  double machineShare() {
    return machineShare;
  }

  /** Share of a core that the busiest stream thread has used, 0..1. */
  double busiestThreadShare() {
    return busiestThreadShare;
  }
}
