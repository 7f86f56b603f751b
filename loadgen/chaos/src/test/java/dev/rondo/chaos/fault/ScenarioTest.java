package dev.rondo.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.chaos.part.Part;
import dev.rondo.harness.FaultSchedule;
import dev.rondo.harness.FaultSchedule.Scheduled;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScenarioTest {
  private static final long LONGEST_PAUSE_MS = 5000;
  private static final long LONGEST_MS = 30_000;

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"NONE", "BACKLOG"})
  void shouldBeTheSameForTheSameSeed(Scenario scenario) {
    assertThat(schedule(scenario, 7)).isEqualTo(schedule(scenario, 7));
    assertThat(schedule(scenario, 8)).isNotEqualTo(schedule(scenario, 7));
  }

  @Test
  void shouldKillEachPartAloneInARound() {
    Stream<List<Part>> alone =
        faults(Scenario.ALL, 7).stream()
            .limit(Part.usual().size() + 2)
            .map(Fault::parts)
            .filter(parts -> parts.size() == 1);
    assertThat(alone.flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(Part.usual());
  }

  @Test
  void shouldKillTwoPartsAtOnce() {
    assertThat(faults(Scenario.PAIRS, 7))
        .allSatisfy(fault -> assertThat(fault.kind()).isEqualTo(FaultKind.KILL))
        .allSatisfy(fault -> assertThat(fault.parts()).hasSize(2).doesNotHaveDuplicates());
  }

  @Test
  void shouldKillOneInstanceOfTheTopologyAtATime() {
    assertThat(faults(Scenario.TOPOLOGY_ALONE, 7).stream().map(Fault::parts))
        .contains(List.of(Part.TOPOLOGY), List.of(Part.TOPOLOGY_2))
        .allSatisfy(parts -> assertThat(parts).hasSize(1));
  }

  @Test
  void shouldFreezeForLongerThanSessionsWhatOthersCanReplace() {
    assertThat(faults(Scenario.FREEZE, 7))
        .allSatisfy(
            fault -> {
              assertThat(fault.kind()).isEqualTo(FaultKind.FREEZE);
              boolean isAlone = List.of(Part.BROKER, Part.POSTGRES).contains(fault.parts().get(0));
              assertThat(fault.lastsMs())
                  .isBetween(isAlone ? 1L : 13_000L, isAlone ? 9_999L : LONGEST_MS);
            })
        .flatExtracting(Fault::parts)
        .contains(Part.CONNECT, Part.CONNECT_2, Part.TOPOLOGY, Part.TOPOLOGY_2);
  }

  @Test
  void shouldReplaceOnePartAfterTheOther() {
    List<Part> inOrder = Scenario.ROLL.parts();
    assertThat(faults(Scenario.ROLL, 7).stream().limit(inOrder.size()).map(Fault::parts))
        .containsExactlyElementsOf(inOrder.stream().map(List::of).toList());
  }

  @Test
  void shouldSetTheClockOfEachPartAheadAndOfAllButTheBrokerBehind() {
    List<Part> all = Scenario.CLOCKS.parts();
    List<Fault> round = faults(Scenario.CLOCKS, 7).subList(0, 2 * all.size() + 3);
    assertThat(round.stream().filter(fault -> fault.kind() == FaultKind.AHEAD))
        .flatExtracting(Fault::parts)
        .containsExactlyInAnyOrderElementsOf(all);
    assertThat(round.stream().filter(fault -> fault.kind() == FaultKind.BEHIND))
        .flatExtracting(Fault::parts)
        .hasSize(all.size() - 1)
        .doesNotHaveDuplicates()
        .doesNotContain(Part.BROKER);
  }

  @Test
  void shouldKillPartsWhoseClockIsWrongUnlessTheyCountWhatTheyDrop() {
    assertThat(new Fault(FaultKind.AHEAD, List.of(Part.TOPOLOGY), 1).restarts()).isEqualTo(2);
    assertThat(new Fault(FaultKind.BEHIND, List.of(Part.CONNECT), 1).restarts()).isEqualTo(2);
    assertThat(new Fault(FaultKind.BEHIND, List.of(Part.TOPOLOGY), 1).restarts()).isEqualTo(1);
  }

  /** Those that need a copy follow one. */
  @Test
  void shouldPutEachKindOfServerInThePlaceOfPostgres() {
    assertThat(faults(Scenario.RESTORE, 7).stream().limit(6).map(Fault::kind))
        .containsExactly(
            FaultKind.BACK_UP,
            FaultKind.RESTORE,
            FaultKind.BACK_UP,
            FaultKind.PROMOTE,
            FaultKind.SWITCH,
            FaultKind.LOAD);
  }

  @ParameterizedTest
  @EnumSource
  void shouldBeFoundByItsName(Scenario scenario) {
    assertThat(Scenario.of(scenario.label())).isEqualTo(scenario);
  }

  private static List<Fault> faults(Scenario scenario, long seed) {
    return schedule(scenario, seed).stream().map(Scheduled::fault).toList();
  }

  private static List<Scheduled<Fault>> schedule(Scenario scenario, long seed) {
    var schedule =
        new FaultSchedule<>(random -> scenario.round(random, LONGEST_MS), LONGEST_PAUSE_MS, seed);
    return IntStream.range(0, 40).mapToObj(n -> schedule.next()).toList();
  }
}
