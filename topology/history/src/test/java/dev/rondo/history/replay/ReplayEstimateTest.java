package dev.rondo.history.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.tools.check.record.SampledPoints;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.policy.Policy;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReplayEstimateTest {
  private static final Policy POLICY = PoliciesFile.parse(Policies.DEFAULT_YAML).inOrder().get(0);

  @Test
  void shouldCountPointsOfAllTopics() {
    assertThat(text(2, reading(1_000, true, 10), reading(500, false, 1)))
        .contains("about 10,500 points");
  }

  @Test
  void shouldTakeLongerWithoutKeysAndWithFewerCores() {
    double keyed = hours(2, reading(15_000_000_000L, true, 1));
    double unkeyed = hours(2, reading(15_000_000_000L, false, 1));

    assertThat(unkeyed).isGreaterThan(keyed);
    assertThat(hours(1, reading(15_000_000_000L, false, 1)))
        .isBetween(1.9 * unkeyed, 2.1 * unkeyed);
  }

  @Test
  void shouldAnswerWithoutRecords() {
    assertThat(text(2)).contains("about 0 points", "about 1 s");
  }

  private static ReplayEstimate.Reading reading(long records, boolean isKeyed, double perRecord) {
    return new ReplayEstimate.Reading(
        records,
        isKeyed,
        new SampledPoints(perRecord, List.of(new SampledPoints.Share(POLICY, 1))));
  }

  private static double hours(int cores, ReplayEstimate.Reading reading) {
    var matcher = Pattern.compile("about ([0-9.]+) h,").matcher(text(cores, reading));
    assertThat(matcher.find()).isTrue();
    return Double.parseDouble(matcher.group(1));
  }

  private static String text(int cores, ReplayEstimate.Reading... readings) {
    return String.join("\n", ReplayEstimate.lines(List.of(readings), cores));
  }
}
