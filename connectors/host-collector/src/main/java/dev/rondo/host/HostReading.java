package dev.rondo.host;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import oshi.hardware.CentralProcessor.TickType;

/**
 * What the machine said at one instant.
 *
 * @param takenNanos when, on the monotonic clock, nanoseconds
 * @param cpuTicks time since boot by what it went to, in any one unit, over all CPUs; every type is
 *     present
 * @param gauges values that mean something by themselves, by name under the host
 * @param counters totals that only ever grow, by the name that their rate has under the host
 */
record HostReading(
    long takenNanos,
    Map<TickType, Long> cpuTicks,
    Map<String, Double> gauges,
    Map<String, Long> counters) {

  /** Gauges: values that need only one reading, by name below the host. */
  Map<String, Double> values() {
    return new LinkedHashMap<>(gauges);
  }

  /**
   * Values by name under the host: the gauges, CPU in percent of the whole machine and counters per
   * second, both since {@code earlier}. A counter that is new or went back (its device was
   * replaced) has no value this time.
   */
  Map<String, Double> valuesSince(HostReading earlier) {
    Map<String, Double> values = values();
    addCpuPercent(values, earlier);
    addRates(values, earlier);
    return values;
  }

  private void addCpuPercent(Map<String, Double> values, HostReading earlier) {
    var spent = new EnumMap<TickType, Long>(TickType.class);
    // Linux lets iowait go back a little now and then.
    cpuTicks.forEach(
        (type, ticks) -> spent.put(type, Math.max(0, ticks - earlier.cpuTicks.get(type))));
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

  private void addRates(Map<String, Double> values, HostReading earlier) {
    double seconds = (takenNanos - earlier.takenNanos) / 1e9;
    if (seconds <= 0) {
      return;
    }
    counters.forEach(
        (name, count) -> {
          Long before = earlier.counters.get(name);
          if (before != null && count >= before) {
            values.put(name, (count - before) / seconds);
          }
        });
  }
}
