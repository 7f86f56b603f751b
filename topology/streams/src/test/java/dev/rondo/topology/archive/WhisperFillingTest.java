package dev.rondo.topology.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WhisperFillingTest {
  private static final Archive TEN_SECONDS =
      new Archive(ConsolidationFunction.WMEAN, new ArchiveShape(10_000, 6), 0.5);
  private static final Archive MINUTE =
      new Archive(ConsolidationFunction.WMEAN, new ArchiveShape(60_000, 10), 0.1);

  private final Emitted emitted = new Emitted();
  private final OpenSlots slots =
      new OpenSlots(10_000, 0, ConsolidationFunction.LAST, List.of(TEN_SECONDS, MINUTE), 1);

  @Test
  void shouldAddIncrementsUntilTheirSlotCloses() {
    var sums = new OpenSlots(10_000, 0, ConsolidationFunction.SUM, List.of(TEN_SECONDS, MINUTE), 1);
    sums.add(0, 15_000, 1, emitted);
    assertThat(sums.add(0, 15_000, 2, emitted)).as("equal time").isEqualTo(Verdict.STORED);
    sums.emitSilent(0, 30_000, emitted);
    sums.add(0, 11_000, 4, emitted);
    sums.emitSilent(0, 30_000, emitted);
    sums.add(0, 20_000, 8, emitted);
    assertThat(sums.add(0, 19_999, 16, emitted)).isEqualTo(Verdict.LATE);
    assertThat(emitted.inOrder).containsExactly("0@20000=3.0", "0@20000=7.0");
  }

  @Test
  void shouldReturnTheVerdictOfEachPoint() {
    assertThat(slots.add(0, 15_000, 1, emitted)).isEqualTo(Verdict.FIRST);
    assertThat(slots.add(0, 15_000, 2, emitted)).as("equal time").isEqualTo(Verdict.STORED);
    assertThat(slots.add(0, 10_000, 3, emitted))
        .as("earlier in the slot")
        .isEqualTo(Verdict.STORED);
    assertThat(slots.lastMs(0)).as("the newest point, not the last to arrive").isEqualTo(15_000);
    assertThat(slots.lateMs(0)).isEqualTo(9_999);
    assertThat(slots.add(0, 9_999, 4, emitted)).isEqualTo(Verdict.LATE);
    assertThat(slots.lastEndMs(0)).isEqualTo(60_000);
    slots.add(0, 20_000, 5, emitted);
    assertThat(emitted.inOrder).containsExactly("0@20000=3.0");
  }

  @Test
  void shouldEmitSilentSlotsAStepAfterTheirEndAndAgainOnlyWhenReplaced() {
    slots.add(0, 3_000, 1, emitted);
    slots.emitSilent(0, 19_999, emitted);
    assertThat(emitted.inOrder).isEmpty();
    slots.emitSilent(0, 20_000, emitted);
    slots.emitSilent(0, 30_000, emitted);
    slots.add(0, 4_000, 1, emitted);
    slots.emitSilent(0, 30_000, emitted);
    assertThat(emitted.inOrder)
        .as("the same value is not emitted again")
        .containsExactly("0@10000=1.0");
    slots.add(0, 5_000, 7, emitted);
    slots.emitSilent(0, 30_000, emitted);
    slots.add(0, 2_000, 8, emitted);
    slots.add(0, 12_000, 9, emitted);
    assertThat(emitted.inOrder).containsExactly("0@10000=1.0", "0@10000=7.0", "0@10000=8.0");
  }

  @Test
  void shouldEmitTheOpenFinestSlotAtItsFirstPointAndOnceMoreWhenItClosesWithAnotherValue() {
    slots.add(0, 3_000, 1, emitted);
    slots.emitOpenFinest(0, emitted);
    slots.add(0, 4_000, 2, emitted);
    slots.emitOpenFinest(0, emitted);
    slots.add(0, 5_000, 7, emitted);
    slots.emitOpenFinest(0, emitted);
    slots.add(0, 12_000, 9, emitted);
    assertThat(emitted.inOrder).containsExactly("0@10000=1.0", "0@10000=7.0");
    slots.emitOpenFinest(0, emitted);
    slots.add(0, 22_000, 9, emitted);
    assertThat(emitted.inOrder)
        .as("closed with the value that it was emitted with")
        .containsExactly("0@10000=1.0", "0@10000=7.0", "0@20000=9.0");
  }

  @Test
  void shouldEmitTheOpenCoarseSlotAgainWhenAPointReplacesItsValue() {
    slots.add(0, 0, 2, emitted);
    slots.add(0, 10_000, 4, emitted);
    slots.emitOpen(0, 1, emitted);
    assertThat(emitted.secondArchive).containsEntry(60_000L, 3.0);
    slots.add(0, 11_000, 8, emitted);
    slots.emitOpen(0, 1, emitted);
    assertThat(emitted.secondArchive).containsEntry(60_000L, 5.0);
    slots.add(0, 10_000, 6, emitted);
    slots.add(0, 60_000, 0, emitted);
    assertThat(emitted.secondArchive).as("closed").containsEntry(60_000L, 4.0);
  }

  @Test
  void shouldEmitNoOpenCoarseSlotBeforeAFinestOneInIt() {
    var sums = new OpenSlots(10_000, 0, ConsolidationFunction.SUM, List.of(TEN_SECONDS, MINUTE), 1);
    sums.add(0, 3_000, 1, emitted);
    sums.emitOpenOnceBegun(0, 1, emitted);
    assertThat(emitted.inOrder).isEmpty();
    sums.emitSilent(0, 20_000, emitted);
    sums.emitOpenOnceBegun(0, 1, emitted);
    sums.add(0, 12_000, 2, emitted);
    sums.emitOpenOnceBegun(0, 1, emitted);
    assertThat(emitted.inOrder).as("a finest slot is stored").hasSize(3);
    sums.add(0, 62_000, 4, emitted);
    emitted.forget();
    sums.emitOpenOnceBegun(0, 1, emitted);
    assertThat(emitted.inOrder).as("the next coarse slot").isEmpty();
  }
}
