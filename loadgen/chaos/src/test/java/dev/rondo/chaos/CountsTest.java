package dev.rondo.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rondo.chaos.part.Metrics;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CountsTest {
  private static final List<Metrics> INSTANCES =
      List.of(
          new Metrics(0, 0, Map.of("late", 2L, "too-many-series", 5L)),
          new Metrics(0, 0, Map.of("late", 1L, "no-memory", 4L)));

  @Test
  void shouldSumInstancesAndMergeReasonsThatRefuseSeries() {
    assertThat(Counts.sum(INSTANCES)).isEqualTo(Map.of("late", 3L, "too-many-series", 9L));
  }

  @Test
  void shouldReportDifferences() {
    ObjectNode expected = new ObjectMapper().createObjectNode();
    expected.put("late", 3).put("too-many-series", 10).put("duplicate-time", 1);
    assertThat(Counts.differences(expected, Counts.sum(INSTANCES)))
        .isEqualTo(Map.of("too-many-series", 1L, "duplicate-time", 1L));
  }

  @Test
  void shouldAcceptThePointsOfRepeatedRecordsOnly() {
    assertThat(Counts.areOfRepeated(Map.of(), 0, 1)).isTrue();
    assertThat(Counts.areOfRepeated(Map.of("duplicate-time", -204L), 204, 1)).isTrue();
    assertThat(Counts.areOfRepeated(Map.of("duplicate-time", -200L, "late", -4L), 204, 1)).isTrue();
    assertThat(Counts.areOfRepeated(Map.of("duplicate-time", -204L), 30, 7)).isTrue();
    assertThat(Counts.areOfRepeated(Map.of("duplicate-time", -204L), 0, 1)).isFalse();
    assertThat(Counts.areOfRepeated(Map.of("duplicate-time", -204L), 203, 1)).isFalse();
    assertThat(Counts.areOfRepeated(Map.of(), 204, 1)).isFalse();
    assertThat(Counts.areOfRepeated(Map.of("no-policy", -204L), 204, 1)).isFalse();
    assertThat(Counts.areOfRepeated(Map.of("duplicate-time", 204L), -204, 1)).isFalse();
  }
}
