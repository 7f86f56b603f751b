package dev.rondo.topology.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WhisperFillingTest {
  private static final Archive TEN_SECONDS =
      new Archive(ConsolidationFunction.WMEAN, new ArchiveShape(10_000, 6), 0.5);
  private static final Archive MINUTE =
      new Archive(ConsolidationFunction.WMEAN, new ArchiveShape(60_000, 10), 0.1);

  private final Emitted told = new Emitted();
  private final OpenSlots slots = new OpenSlots(10_000, 0, List.of(TEN_SECONDS, MINUTE), 1);

  @Test
  void shouldSayWhatBecameOfEachPoint() {
    assertThat(slots.add(0, 15_000, 1, told)).isEqualTo(Verdict.FIRST);
    assertThat(slots.add(0, 15_000, 2, told)).as("equal time").isEqualTo(Verdict.STORED);
    assertThat(slots.add(0, 10_000, 3, told)).as("earlier in the slot").isEqualTo(Verdict.STORED);
    assertThat(slots.lastMs(0)).as("the newest, not the last to arrive").isEqualTo(15_000);
    assertThat(slots.lateMs(0)).isEqualTo(9_999);
    assertThat(slots.add(0, 9_999, 4, told)).isEqualTo(Verdict.LATE);
    assertThat(slots.lastEndMs(0)).isEqualTo(60_000);
    slots.add(0, 20_000, 5, told);
    assertThat(told.inOrder).containsExactly("0@20000=3.0");
  }

  @Test
  void shouldTellSilentSlotsAStepAfterTheirEndAndAgainOnlyWhenReplaced() {
    slots.add(0, 3_000, 1, told);
    slots.emitSilent(0, 19_999, told);
    assertThat(told.inOrder).isEmpty();
    slots.emitSilent(0, 20_000, told);
    slots.emitSilent(0, 30_000, told);
    slots.add(0, 4_000, 1, told);
    slots.emitSilent(0, 30_000, told);
    assertThat(told.inOrder).as("the same value is no news").containsExactly("0@10000=1.0");
    slots.add(0, 5_000, 7, told);
    slots.emitSilent(0, 30_000, told);
    slots.add(0, 2_000, 8, told);
    slots.add(0, 12_000, 9, told);
    assertThat(told.inOrder).containsExactly("0@10000=1.0", "0@10000=7.0", "0@10000=8.0");
  }

  @Test
  void shouldTellTheOpenCoarseSlotAgainWhenAPointReplacesWhatItShowed() {
    slots.add(0, 0, 2, told);
    slots.add(0, 10_000, 4, told);
    slots.emitOpen(0, 1, told);
    assertThat(told.secondArchive).containsEntry(60_000L, 3.0);
    slots.add(0, 11_000, 8, told);
    slots.emitOpen(0, 1, told);
    assertThat(told.secondArchive).containsEntry(60_000L, 5.0);
    slots.add(0, 10_000, 6, told);
    slots.add(0, 60_000, 0, told);
    assertThat(told.secondArchive).as("closed").containsEntry(60_000L, 4.0);
  }
}
