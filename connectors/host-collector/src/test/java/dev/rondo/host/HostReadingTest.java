package dev.rondo.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import oshi.hardware.CentralProcessor.TickType;

class HostReadingTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void shouldReturnCountersPerSecond() {
    var earlier = new HostReading(SECOND, ticks(), Map.of(), Map.of("disk.a.reads", 100L));
    var later = new HostReading(11 * SECOND, ticks(), Map.of(), Map.of("disk.a.reads", 125L));

    assertThat(later.valuesSince(earlier)).containsExactly(entry("disk.a.reads", 2.5));
  }

  @Test
  void shouldSkipNewAndDecreasedCounters() {
    var earlier = new HostReading(0, ticks(), Map.of(), Map.of("disk.a.reads", 100L));
    var later =
        new HostReading(SECOND, ticks(), Map.of(), Map.of("disk.a.reads", 99L, "disk.b.reads", 1L));

    assertThat(later.valuesSince(earlier)).isEmpty();
  }

  @Test
  void shouldReturnCpuInPercentOfTheWholeMachine() {
    Map<TickType, Long> before = ticks();
    Map<TickType, Long> after = ticks();
    spend(after, TickType.USER, 30);
    spend(after, TickType.SYSTEM, 10);
    spend(after, TickType.IDLE, 140);
    spend(after, TickType.IOWAIT, 20);

    assertThat(reading(1, after).valuesSince(reading(0, before)))
        .containsOnly(
            entry("cpu.user", 15.0),
            entry("cpu.system", 5.0),
            entry("cpu.idle", 70.0),
            entry("cpu.iowait", 10.0),
            entry("cpu.nice", 0.0),
            entry("cpu.irq", 0.0),
            entry("cpu.softirq", 0.0),
            entry("cpu.steal", 0.0),
            entry("cpu.busy", 20.0));
  }

  @Test
  void shouldTreatDecreasedIowaitAsZero() {
    Map<TickType, Long> after = ticks();
    spend(after, TickType.IOWAIT, -5);
    spend(after, TickType.IDLE, 100);

    assertThat(reading(1, after).valuesSince(reading(0, ticks())))
        .contains(entry("cpu.iowait", 0.0), entry("cpu.idle", 100.0), entry("cpu.busy", 0.0));
  }

  @Test
  void shouldSkipCpuIfNoTimeHasPassed() {
    assertThat(reading(0, ticks()).valuesSince(reading(0, ticks()))).isEmpty();
  }

  private static HostReading reading(long seconds, Map<TickType, Long> cpuTicks) {
    return new HostReading(seconds * SECOND, cpuTicks, Map.of(), Map.of());
  }

  private static Map<TickType, Long> ticks() {
    var ticks = new EnumMap<TickType, Long>(TickType.class);
    for (TickType type : TickType.values()) {
      ticks.put(type, 1000L);
    }
    return ticks;
  }

  private static void spend(Map<TickType, Long> ticks, TickType type, long more) {
    ticks.merge(type, more, Long::sum);
  }
}
