package dev.rondo.tools.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class SizingTest {
  private static final List<Archive> ARCHIVES =
      PoliciesFile.parse(Policies.DEFAULT_YAML).inOrder().get(0).archives();

  private static Deployment deployment(long series, double intervalSeconds) {
    return Deployment.of(series, intervalSeconds, ARCHIVES, false, 1);
  }

  @Test
  void shouldCountPointsAndValues() {
    Sizing sizing = Sizing.of(deployment(3_600, 10));

    assertThat(sizing.points()).isEqualTo(360);
    assertThat(sizing.values()).isEqualTo(360 + 60 + 1);
  }

  @Test
  void shouldSumTheCostOfPointsAndValues() {
    Sizing sizing = Sizing.of(deployment(3_600_000, 10));
    Coefficients.Path path = Coefficients.UNKEYED;
    double cores =
        0.36 * (path.topologyPoint() + path.topologyRecord()) + 0.421 * Coefficients.TOPOLOGY_VALUE;

    assertThat(sizing.topology().cores())
        .isCloseTo(
            cores + sizing.topology().instances() * Coefficients.TOPOLOGY_IDLE_CORES, within(1e-9));
    assertThat(sizing.topology().instanceCores() * sizing.topology().instances())
        .isCloseTo(sizing.topology().cores(), within(1e-9));
    assertThat(sizing.postgres().cores())
        .isCloseTo(0.421 * Coefficients.POSTGRES_VALUE, within(1e-9));
    assertThat(sizing.postgres().walBytesPerSecond())
        .isCloseTo(421_000 * Coefficients.WAL_VALUE_BYTES, within(1e-3));
  }

  @Test
  void shouldCountTheDiskOfEachArchive() {
    Sizing sizing = Sizing.of(deployment(1_000, 10));

    assertThat(sizing.postgres().archiveBytes())
        .containsExactly(
            2_160_000 * Coefficients.VALUE_BYTES,
            10_080_000 * Coefficients.VALUE_BYTES,
            8_760_000 * Coefficients.VALUE_BYTES);
    assertThat(sizing.postgres().diskBytes())
        .isCloseTo(
            21_000_000 * Coefficients.VALUE_BYTES + 1_000 * Coefficients.SERIES_BYTES,
            within(1e-3));
  }

  @Test
  void shouldGiveNoInstanceMoreThanItHas() {
    for (long series : new long[] {1, 1_000, 500_000, 10_000_000, 50_000_000}) {
      Deployment deployment = deployment(series, 10);
      Sizing.Topology topology = Sizing.of(deployment).topology();

      assertThat(topology.instanceCores())
          .isLessThanOrEqualTo(deployment.instanceCores() * deployment.busy() + 1e-9);
      assertThat(topology.instanceHeapBytes()).isLessThanOrEqualTo(deployment.instanceHeapBytes());
      assertThat(topology.instanceSeries() * topology.instances())
          .isCloseTo((double) series, within(1e-3));
    }
  }

  @Test
  void shouldNotNeedMoreForKeyedSourcesOrLargerRecords() {
    Deployment unkeyed = deployment(10_000_000, 10);
    Deployment batches = Deployment.of(10_000_000, 10, ARCHIVES, false, 100);
    Deployment keyed = Deployment.of(10_000_000, 10, ARCHIVES, true, 1);

    for (Deployment cheaper : List.of(batches, keyed)) {
      assertThat(Sizing.of(cheaper, 20).topology().cores())
          .isLessThan(Sizing.of(unkeyed, 20).topology().cores());
      assertThat(Sizing.of(cheaper, 20).broker().cores())
          .isLessThan(Sizing.of(unkeyed, 20).broker().cores());
      assertThat(Sizing.of(cheaper, 20).postgres()).isEqualTo(Sizing.of(unkeyed, 20).postgres());
    }
  }

  @Test
  void shouldListTheFirstLimitFirstAndReachItThere() {
    Sizing sizing = Sizing.of(deployment(10_000_000, 10));
    assertThat(sizing.limits()).isSortedAccordingTo(Comparator.comparingDouble(Limit::series));

    Limit disk =
        sizing.limits().stream()
            .filter(limit -> limit.what().startsWith("disk"))
            .findFirst()
            .orElseThrow();
    Sizing there = Sizing.of(deployment(Math.round(disk.series()), 10));
    assertThat(there.postgres().diskBytes()).isCloseTo(Deployment.POSTGRES_DISK_BYTES, within(1e6));
  }

  @Test
  void shouldReplicate() {
    Deployment one =
        new Deployment(1_000_000, 10, ARCHIVES, false, 1, 1, 3600, 0.5, 1, 2L << 30, 16, 8e12);
    Deployment three =
        new Deployment(1_000_000, 10, ARCHIVES, false, 1, 3, 3600, 0.5, 1, 2L << 30, 16, 8e12);

    Sizing.Broker once = Sizing.of(one).broker();
    Sizing.Broker thrice = Sizing.of(three).broker();
    assertThat(thrice.diskBytesPerSecond()).isEqualTo(3 * once.diskBytesPerSecond());
    assertThat(thrice.diskBytes()).isEqualTo(3 * once.diskBytes());
    assertThat(thrice.cores())
        .isCloseTo(once.cores() * (1 + 2 * Coefficients.FOLLOWER_SHARE), within(1e-9));
  }

  @Test
  void shouldKeepSourcesForTheirRetention() {
    Deployment hour =
        new Deployment(1_000_000, 10, ARCHIVES, true, 1, 1, 3_600, 0.5, 1, 2L << 30, 16, 8e12);
    Deployment day =
        new Deployment(1_000_000, 10, ARCHIVES, true, 1, 1, 86_400, 0.5, 1, 2L << 30, 16, 8e12);

    double hours23 = 23 * 3_600 * 100_000.0;
    assertThat(Sizing.of(day).broker().sourceBytes() - Sizing.of(hour).broker().sourceBytes())
        .isCloseTo(hours23 * Coefficients.KEYED.source(1), within(1.0));
  }

  @Test
  void shouldSayWhichCommandMeasuredEachCostAndWhen() {
    MeasuredCosts file = Coefficients.FILE;

    assertThat(file.machine()).isNotBlank();
    assertThat(file.measured())
        .allSatisfy(
            run -> {
              assertThat(run.command()).startsWith("./rondo ");
              assertThat(LocalDate.parse(run.date())).isAfter(LocalDate.of(2026, 1, 1));
            });
    assertThatThrownBy(() -> file.cost("topology.valu"))
        .hasMessage("coefficients.yaml has no cost 'topology.valu'");
  }

  @Test
  void shouldRefuseMoreSeriesThanAnyInstanceCanKnow() {
    assertThatThrownBy(() -> Sizing.of(deployment(200_000_000, 10)))
        .hasMessageContaining("in each instance")
        .hasMessageContaining("--heap");
  }

  @Test
  void shouldPrintBytesInTheirUnit() {
    assertThat(SizeText.bytes(999)).isEqualTo("999 B");
    assertThat(SizeText.bytes(9_900)).isEqualTo("9.9 kB");
    assertThat(SizeText.bytes(2.2e12)).isEqualTo("2.2 TB");
  }
}
