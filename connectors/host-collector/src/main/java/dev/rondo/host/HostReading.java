package dev.rondo.host;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import oshi.hardware.CentralProcessor.TickType;

/**
 * Metrics of the machine at one instant.
 *
 * @param takenNanos time of the reading on the monotonic clock, ns
 * @param cpuTicks time since boot by type, in any one unit, over all CPUs; every type is present
 * @param gauges values that need only one reading, by name under the host
 * @param counters increasing totals, by the name of their rate under the host
 */
record HostReading(
    long takenNanos,
    Map<TickType, Long> cpuTicks,
    Map<String, Double> gauges,
    Map<String, Long> counters) {

  /**
   * Returns values by name under the host: the gauges, CPU in percent of the whole machine, and
   * counters per second since {@code previous}. A counter that is new or decreased (its device was
   * replaced) has no value.
   */
  Map<String, Double> valuesSince(HostReading previous) {
    Map<String, Double> values = new LinkedHashMap<>(gauges);
    addCpuPercent(values, previous);
    addRates(values, previous);
    return values;
  }

  private void addCpuPercent(Map<String, Double> values, HostReading previous) {
    var spent = new EnumMap<TickType, Long>(TickType.class);
    // On Linux, iowait can decrease a little.
    cpuTicks.forEach(
        (type, ticks) -> spent.put(type, Math.max(0, ticks - previous.cpuTicks.get(type))));
    long total = spent.values().stream().mapToLong(Long::longValue).sum();
    if (total == 0) {
      return;
    }
    spent.forEach(
        (type, ticks) ->
            values.put("cpu." + GraphiteLines.safeNode(type.name()), 100.0 * ticks / total));
    long unused = spent.get(TickType.IDLE) + spent.get(TickType.IOWAIT);
    values.put("cpu.busy", 100.0 * (total - unused) / total);
  }

  private void addRates(Map<String, Double> values, HostReading previous) {
    double seconds = (takenNanos - previous.takenNanos) / 1e9;
    if (seconds <= 0) {
      return;
    }
    counters.forEach(
        (name, count) -> {
          Long last = previous.counters.get(name);
          if (last != null && count >= last) {
            values.put(name, (count - last) / seconds);
          }
        });
  }
}
