package dev.rondo.topology.saturation;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;

/** CPU use since the last update, by the machine or container and by stream threads. */
final class CpuUse {
  private static final String STREAM_THREAD = "-StreamThread-";

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private Map<Long, Long> nanosByThread = Map.of();
  private double machineShare;
  private double busiestThreadShare;

  /**
   * Updates the shares.
   *
   * @param seconds time since the last update
   */
  void update(double seconds) {
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

  /** Share of all cores used by all processes, 0..1. */
  double machineShare() {
    return machineShare;
  }

  /** Share of a core used by the busiest stream thread, 0..1. */
  double busiestThreadShare() {
    return busiestThreadShare;
  }
}
