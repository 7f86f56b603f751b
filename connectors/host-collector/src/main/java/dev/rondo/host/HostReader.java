package dev.rondo.host;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import oshi.SystemInfo;
import oshi.hardware.CentralProcessor.TickType;
import oshi.hardware.GlobalMemory;
import oshi.hardware.HWDiskStore;
import oshi.hardware.HardwareAbstractionLayer;
import oshi.hardware.NetworkIF;
import oshi.software.os.OSFileStore;
import oshi.software.os.OperatingSystem;

/**
 * Reads this machine through OSHI, without privileges; a reading takes about 20 ms. Skips loopback
 * interfaces, disks without a size, pseudo file systems, and network file systems, because a dead
 * NFS server would block the reading.
 */
final class HostReader {
  private static final Set<String> FILE_SYSTEMS_IN_MEMORY = Set.of("tmpfs", "ramfs");

  private final HardwareAbstractionLayer hardware;
  private final OperatingSystem system;

  HostReader(SystemInfo info) {
    hardware = info.getHardware();
    system = info.getOperatingSystem();
  }

  /** Returns the machine's short name, as one node of a Graphite name. */
  static String shortHostName(SystemInfo info) {
    String full = info.getOperatingSystem().getNetworkParams().getHostName();
    String first = full.split("\\.", 2)[0];
    return GraphiteLines.safeNode(first.isEmpty() ? "localhost" : first);
  }

  HostReading read() {
    var gauges = new LinkedHashMap<String, Double>();
    addLoad(gauges);
    addMemory(gauges);
    addFileSystems(gauges);
    gauges.put("processes.count", (double) system.getProcessCount());
    gauges.put("uptime", (double) system.getSystemUptime());

    var counters = new LinkedHashMap<String, Long>();
    addDisks(counters);
    addNetworks(counters);
    return new HostReading(System.nanoTime(), cpuTicks(), gauges, counters);
  }

  private void addLoad(Map<String, Double> gauges) {
    double[] load = hardware.getProcessor().getSystemLoadAverage(3);
    String[] names = {"load.1m", "load.5m", "load.15m"};
    for (int k = 0; k < names.length; k++) {
      if (load[k] >= 0) { // OSHI returns -1 if the system keeps no load average
        gauges.put(names[k], load[k]);
      }
    }
  }

  private void addMemory(Map<String, Double> gauges) {
    GlobalMemory memory = hardware.getMemory();
    long total = memory.getTotal();
    long available = memory.getAvailable();
    gauges.put("memory.used", (double) (total - available));
    gauges.put("memory.available", (double) available);
    gauges.put("memory.total", (double) total);
    gauges.put("memory.swap_used", (double) memory.getVirtualMemory().getSwapUsed());
  }

  private void addFileSystems(Map<String, Double> gauges) {
    boolean localOnly = true; // OSHI already skips pseudo file systems, except "/"
    for (OSFileStore store : system.getFileSystem().getFileStores(localOnly)) {
      long total = store.getTotalSpace();
      if (total == 0 || FILE_SYSTEMS_IN_MEMORY.contains(store.getType())) {
        continue;
      }
      String name = "filesystem." + GraphiteLines.mountNode(store.getMount());
      gauges.putIfAbsent(name + ".used", (double) (total - store.getFreeSpace()));
      gauges.putIfAbsent(name + ".free", (double) store.getUsableSpace());
    }
  }

  private void addDisks(Map<String, Long> counters) {
    for (HWDiskStore disk : hardware.getDiskStores()) {
      if (disk.getSize() == 0) {
        continue;
      }
      String name = "disk." + GraphiteLines.deviceNode(disk.getName());
      counters.put(name + ".read_bytes", disk.getReadBytes());
      counters.put(name + ".write_bytes", disk.getWriteBytes());
      counters.put(name + ".reads", disk.getReads());
      counters.put(name + ".writes", disk.getWrites());
    }
  }

  private void addNetworks(Map<String, Long> counters) {
    boolean withLoopback = false;
    for (NetworkIF network : hardware.getNetworkIFs(withLoopback)) {
      String name = "network." + GraphiteLines.safeNode(network.getName());
      counters.put(name + ".rx_bytes", network.getBytesRecv());
      counters.put(name + ".tx_bytes", network.getBytesSent());
      counters.put(name + ".rx_packets", network.getPacketsRecv());
      counters.put(name + ".tx_packets", network.getPacketsSent());
      counters.put(name + ".errors", network.getInErrors() + network.getOutErrors());
    }
  }

  private Map<TickType, Long> cpuTicks() {
    long[] ticks = hardware.getProcessor().getSystemCpuLoadTicks();
    var byType = new EnumMap<TickType, Long>(TickType.class);
    for (TickType type : TickType.values()) {
      byType.put(type, ticks[type.getIndex()]);
    }
    return byType;
  }
}
