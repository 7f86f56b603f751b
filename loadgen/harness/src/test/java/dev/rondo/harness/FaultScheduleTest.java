package dev.rondo.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.harness.FaultSchedule.Scheduled;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FaultScheduleTest {
  private static final List<String> ROUND = List.of("a", "b", "c", "d");

  private static List<Scheduled<String>> faults(long longestPauseMs, long seed) {
    var schedule =
        new FaultSchedule<>(random -> FaultSchedule.shuffled(ROUND, random), longestPauseMs, seed);
    return IntStream.range(0, 40).mapToObj(n -> schedule.next()).toList();
  }

  @Test
  void shouldBeTheSameForTheSameSeed() {
    assertThat(faults(5_000, 7)).isEqualTo(faults(5_000, 7)).isNotEqualTo(faults(5_000, 8));
  }

  @Test
  void shouldRepeatTheRound() {
    assertThat(faults(0, 7).subList(0, 4)).extracting(Scheduled::fault).hasSameElementsAs(ROUND);
    assertThat(faults(0, 7).subList(4, 8)).extracting(Scheduled::fault).hasSameElementsAs(ROUND);
  }

  @Test
  void shouldPauseNoLongerThanItMay() {
    assertThat(faults(5_000, 7))
        .extracting(Scheduled::pauseMs)
        .allSatisfy(ms -> assertThat(ms).isBetween(0L, 5_000L))
        .doesNotContainSequence(0L, 0L);
  }

  @Test
  void shouldHaveNoNextIfThereAreNoFaults() {
    assertThat(new FaultSchedule<String>(random -> List.of(), 0, 7).hasNext()).isFalse();
  }
}
