package dev.rondo.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PeersTableTest {
  private static Figures figures(String store, Map<String, Double> cpuSeconds, String verified) {
    return new Figures(
        store,
        60_000,
        true,
        cpuSeconds,
        1.5,
        2_048,
        136.04,
        10.62,
        346,
        2_100,
        3_400,
        Map.of("one series", 5.44),
        verified);
  }

  @Test
  void shouldShowBothStoresSideBySide() {
    Figures rondo = figures("Rondo", Map.of("topology", 8.0, "kafka", 4.25), "clean");
    Figures other = figures("Other", Map.of("other", 2.5), null);

    List<String> lines = PeersTable.lines(List.of(rondo, other)).stream().map(this::words).toList();

    assertThat(lines)
        .contains(
            "Rondo Other",
            "points/s 60,000 60,000",
            "CPU s per million points 12.25 2.50",
            "… of the generator 1.50 1.50",
            "memory, MB 2,048 2,048",
            "written, B per point 136.0 136.0",
            "on disk, B per value 10.62 10.62",
            "readable after, p99 ms 3,400 3,400",
            "one series, p50 ms 5.4 5.4",
            "topology 8.00",
            "./rondo verify: clean")
        .doesNotContain("other 2.50");
  }

  private String words(String line) {
    return line.strip().replaceAll(" +", " ");
  }
}
