package dev.rondo.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The golden files follow the rules that their readers rely on. */
class GoldenFilesTest {
  @Test
  void shouldNameSlotsByEndsThatAreMultiplesOfTheStep() {
    List<Map<String, String>> slots = GoldenCsv.rows("slots.csv");

    assertThat(slots).isNotEmpty();
    for (Map<String, String> slot : slots) {
      long stepMs = Long.parseLong(slot.get("step_ms"));
      long endMs = Long.parseLong(slot.get("end_ms"));
      assertThat(endMs % stepMs).as("%s", slot).isZero();
      assertThat(endMs - Long.parseLong(slot.get("t_ms"))).as("%s", slot).isBetween(0L, stepMs - 1);
      assertThat(Long.parseLong(slot.get("i")))
          .as("%s", slot)
          .isBetween(0L, Long.parseLong(slot.get("size")) - 1);
    }
  }

  @Test
  void shouldAssignNoPositionTwice() {
    var places = new HashMap<List<String>, Map<String, String>>();
    for (Map<String, String> position : GoldenCsv.rows("positions.csv")) {
      var place = List.of(position.get("width"), position.get("seg"), position.get("pos"));
      assertThat(places.put(place, position)).as("%s", position).isNull();
    }
    assertThat(places).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"consolidation.csv", "whisper.csv", "increments.csv"})
  void shouldListConsolidatedSlotsInOrderAtMultiplesOfTheArchiveStep(String file) {
    List<Map<String, String>> cases = GoldenCsv.rows(file);

    assertThat(cases).isNotEmpty();
    for (Map<String, String> golden : cases) {
      long archiveStepMs = Long.parseLong(golden.get("archive_step_ms"));
      assertThat(archiveStepMs % Long.parseLong(golden.get("step_ms"))).as("%s", golden).isZero();
      List<Long> ends = List.copyOf(TimedValues.parse(golden.get("slots")).keySet());
      assertThat(ends).as("%s", golden).isSorted().allMatch(end -> end % archiveStepMs == 0);
    }
  }
}
