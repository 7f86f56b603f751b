package dev.rondo.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScheduleTest {
  private static final long LONGEST_PAUSE_MS = 5000;

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void shouldBeTheSameForTheSameSeed(Scenario scenario) {
    assertThat(strikes(scenario, 7)).isEqualTo(strikes(scenario, 7));
    assertThat(strikes(scenario, 8)).isNotEqualTo(strikes(scenario, 7));
  }

  @Test
  void shouldKillEachPartAloneInARound() {
    Stream<List<Part>> alone =
        strikes(Scenario.ALL, 7).stream()
            .limit(Part.values().length + 2)
            .map(Strike::parts)
            .filter(parts -> parts.size() == 1);
    assertThat(alone.flatMap(List::stream)).containsExactlyInAnyOrder(Part.values());
  }

  @Test
  void shouldKillTwoPartsAtOnce() {
    assertThat(strikes(Scenario.PAIRS, 7))
        .allSatisfy(strike -> assertThat(strike.parts()).hasSize(2).doesNotHaveDuplicates());
  }

  @Test
  void shouldKillOneInstanceOfTheTopologyAtATime() {
    assertThat(strikes(Scenario.TOPOLOGY, 7).stream().map(Strike::parts))
        .contains(List.of(Part.TOPOLOGY), List.of(Part.TOPOLOGY_2))
        .allSatisfy(parts -> assertThat(parts).hasSize(1));
  }

  @Test
  void shouldPauseNoLongerThanItMay() {
    assertThat(strikes(Scenario.ALL, 7))
        .allSatisfy(strike -> assertThat(strike.pauseMs()).isBetween(0L, LONGEST_PAUSE_MS));
  }

  private static List<Strike> strikes(Scenario scenario, long seed) {
    var schedule = new Schedule(scenario, LONGEST_PAUSE_MS, seed);
    return IntStream.range(0, 40).mapToObj(n -> schedule.next()).toList();
  }
}
