package dev.rondo.history.whisper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.policy.Policy;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Times are seconds since {@code BEGIN_S}. */
class SlotConversionTest {
  private static final long BEGIN_S = 1_699_999_200; // a multiple of 300
  private static final double NAN = Double.NaN;

  private static final WhisperArchive TENS = archive(10, 60, 1, 2, NAN, 4, 5, 6, 7, 8, 9);
  private static final WhisperArchive MINUTES = archive(60, -60, 11, 12, 13, NAN);

  @Test
  void shouldCopyWhereAnArchiveHasTheSameStep() {
    var file = file(AggregationMethod.AVERAGE, TENS, MINUTES);
    assertThat(values(file, "avg", "10s:1h", 60, 5)).containsExactly(1, 2, NAN, 4, 5);
    assertThat(values(file, "avg", "1m:1h:1", -120, 5)).containsExactly(NAN, 11, 12, 13, NAN);
  }

  @Test
  void shouldConsolidateTheFinestWhereNoneHasTheSameStep() {
    var file = file(AggregationMethod.AVERAGE, TENS, MINUTES);
    assertThat(values(file, "avg", "30s:1h", 60, 3)).containsExactly(1.5, 5, 8);
    assertThat(values(file, "avg", "30s:1h:1", 60, 3)).containsExactly(NAN, 5, 8);
    assertThat(values(file, "avg", "max:30s:1h", 60, 3)).containsExactly(2, 6, 9);
    assertThat(values(file, "avg", "min:30s:1h", 60, 3)).containsExactly(1, 4, 7);
    assertThat(values(file, "avg", "last:30s:1h", 60, 3)).containsExactly(2, 6, 9);
    assertThat(values(file, "avg", "sum:30s:1h", 60, 3)).containsExactly(3, 15, 24);
  }

  @Test
  void shouldSpreadACoarserValueWhereOnlyItCoversTheTime() {
    assertThat(values(file(AggregationMethod.MAX, TENS, MINUTES), "max", "10s:1h", 40, 3))
        .containsExactly(12, 12, 1);
    assertThat(values(file(AggregationMethod.SUM, TENS, MINUTES), "sum", "10s:1h", 40, 3))
        .containsExactly(2, 2, 1);
    assertThat(values(file(AggregationMethod.SUM, TENS, MINUTES), "sum", "30s:1h", 0, 3))
        .containsExactly(6, 6, 3);
  }

  @Test
  void shouldWeightPartsWhereStepsDoNotDivideEachOther() {
    var file = file(AggregationMethod.AVERAGE, archive(20, 0, 1, 4, 7));
    assertThat(values(file, "avg", "30s:1h", 0, 2)).containsExactly(2, 6);
    var sums = file(AggregationMethod.SUM, archive(20, 0, 1, 4, 7));
    assertThat(values(sums, "sum", "30s:1h", 0, 2)).containsExactly(3, 9);
  }

  @Test
  void shouldNotMakeAFunctionOfValuesOfAnother() {
    var file = file(AggregationMethod.AVERAGE, TENS, MINUTES);
    assertThat(values(file, "avg", "max:1m:1h", -60, 3)).containsExactly(NAN, NAN, 6);
    assertThat(values(file, "max", "max:1m:1h", -60, 3))
        .as("the policy is shown by it, as Graphite shows the file")
        .containsExactly(11, 12, 13);
    assertThat(values(file, "max", "10s:1h", 40, 3)).containsExactly(12, 12, 1);
  }

  @Test
  void shouldNameSlotsAsGraphiteDoes() {
    var file = file(AggregationMethod.AVERAGE, TENS, MINUTES);
    Policy heartbeat = policy("heartbeat: 2m, archives: ['1m:1h', '30s:1h']");
    long firstEndMs = BEGIN_S * 1000;
    assertThat(
            new SlotConversion(heartbeat, heartbeat.archives().get(0)).values(file, firstEndMs, 2))
        .as("the slot 0 of Graphite ends at 0")
        .containsExactly(12, 13);
    assertThat(
            new SlotConversion(heartbeat, heartbeat.archives().get(1))
                .values(file, firstEndMs + 90_000, 2))
        .as("points 70, 80 and 90 are before 90")
        .containsExactly(3, 6);
  }

  @Test
  void shouldReadACoarserArchiveOnlyBeforeTheFinerOne() {
    var empty = archive(10, 60, new double[] {1, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 9});
    var file = file(AggregationMethod.AVERAGE, empty, MINUTES);
    assertThat(values(file, "avg", "10s:1h", 50, 4)).containsExactly(12, 1, NAN, NAN);
  }

  /** In Whisper mode, from the slot that starts at {@code fromS}. */
  private static double[] values(
      WhisperFile file, String aggregate, String archive, int fromS, int slots) {
    Policy policy =
        policy("heartbeat: 0, aggregate: %s, archives: ['%s']".formatted(aggregate, archive));
    var target = policy.archives().get(0);
    return new SlotConversion(policy, target)
        .values(file, (BEGIN_S + fromS) * 1000 + target.shape().stepMs(), slots);
  }

  private static Policy policy(String rest) {
    return PoliciesFile.parse("policies: [{name: p, match: '.*', step: 10s, %s}]".formatted(rest))
        .inOrder()
        .get(0);
  }

  private static WhisperFile file(AggregationMethod method, WhisperArchive... archives) {
    return new WhisperFile(method, List.of(archives));
  }

  private static WhisperArchive archive(int stepS, int firstS, double... values) {
    return new WhisperArchive(stepS, BEGIN_S + firstS, Arrays.copyOf(values, values.length));
  }
}
