package dev.rondo.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import oshi.SystemInfo;

/** Compares readings of this machine with the JDK's. */
class HostReaderTest {
  private final SystemInfo info = new SystemInfo();
  private final HostReading reading = new HostReader(info).read();

  @Test
  void shouldReadGaugesThatAgreeWithTheJdk() throws Exception {
    long total = Files.getFileStore(Path.of("/")).getTotalSpace();

    assertThat(reading.gauges())
        .containsKeys("load.1m", "load.5m", "load.15m", "memory.swap_used")
        .hasEntrySatisfying("processes.count", count -> assertThat(count).isGreaterThan(1))
        .hasEntrySatisfying("uptime", seconds -> assertThat(seconds).isPositive())
        .hasEntrySatisfying(
            "filesystem.root.used", used -> assertThat(used).isBetween(1.0, (double) total));
    assertThat(reading.gauges().get("memory.used") + reading.gauges().get("memory.available"))
        .isEqualTo(reading.gauges().get("memory.total"));
  }

  @Test
  void shouldSkipLoopbackAndPseudoFileSystems() {
    assertThat(reading.counters().keySet()).noneMatch(name -> name.startsWith("network.lo."));
    assertThat(reading.gauges().keySet())
        .noneMatch(name -> name.matches("filesystem\\.(proc|sys|dev|dev_shm|sys_.*)\\..*"));
  }

  @Test
  void shouldReturnRatesBetweenTwoReadings() {
    HostReading later = new HostReader(info).read();

    assertThat(later.takenNanos()).isGreaterThan(reading.takenNanos());
    assertThat(later.valuesSince(reading).keySet()).containsAll(later.counters().keySet());
  }

  @Test
  void shouldReturnAHostNameOfOneNode() {
    assertThat(HostReader.shortHostName(info)).matches("[a-z0-9_-]+");
  }
}
