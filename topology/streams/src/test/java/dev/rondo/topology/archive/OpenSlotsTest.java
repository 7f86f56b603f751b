package dev.rondo.topology.archive;

import static dev.rondo.topology.archive.ConsolidationFunction.MAX;
import static dev.rondo.topology.archive.ConsolidationFunction.WMEAN;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OpenSlotsTest {
  private static final Archive TEN_SECONDS = archive(WMEAN, 10_000, 6, 0.5);
  private static final Archive MINUTE = archive(WMEAN, 60_000, 10, 0.5);

  private final Emitted emitted = new Emitted();

  private static Archive archive(
      ConsolidationFunction function, long stepMs, int size, double xff) {
    return new Archive(function, new ArchiveShape(stepMs, size), xff);
  }

  private static OpenSlots slots(Archive... archives) {
    return new OpenSlots(10_000, 120_000, ConsolidationFunction.WMEAN, List.of(archives), 2);
  }

  /** Prepares the series as a replay does. */
  private static void rewind(OpenSlots slots, int series, long reorderMs) {
    new ReorderWindow(reorderMs, false, 2).rewind(series, slots);
  }

  @Test
  void shouldReturnTheVerdictOfEachPoint() {
    OpenSlots slots = slots(TEN_SECONDS);
    assertThat(slots.add(0, 5_000, 1, emitted)).isEqualTo(Verdict.FIRST);
    assertThat(slots.add(0, 5_000, 2, emitted)).isEqualTo(Verdict.DUPLICATE);
    assertThat(slots.add(0, 4_999, 3, emitted)).isEqualTo(Verdict.LATE);
    assertThat(slots.add(0, 5_001, 4, emitted)).isEqualTo(Verdict.STORED);
    assertThat(slots.lastMs(0)).isEqualTo(5_001);
    assertThat(slots.add(1, 1, 1, emitted)).as("another series").isEqualTo(Verdict.FIRST);
  }

  @Test
  void shouldKeepOnlyTheNewestSpanOfAnIntervalLongerThanTheArchive() {
    OpenSlots slots = slots(TEN_SECONDS);
    slots.add(0, 0, 0, emitted);
    slots.add(0, 115_000, 7, emitted);
    assertThat(emitted.firstArchive.keySet())
        .containsExactly(10_000L, 60_000L, 70_000L, 80_000L, 90_000L, 100_000L, 110_000L);
  }

  @Test
  void shouldEmitSilentSlotAfterHeartbeatAndOnlyOnce() {
    OpenSlots slots = slots(TEN_SECONDS, MINUTE);
    slots.add(0, 0, 0, emitted);
    slots.add(0, 8_000, 3, emitted);
    slots.emitSilent(0, 10_000 + 119_999, emitted);
    assertThat(emitted.inOrder).isEmpty();
    slots.emitSilent(0, 10_000 + 120_000, emitted);
    slots.emitSilent(0, 10_000 + 130_000, emitted);
    assertThat(emitted.inOrder).containsExactly("0@10000=3.0");
  }

  @Test
  void shouldRefineSilentSlotWhenAPointOfASlowSenderArrives() {
    OpenSlots slots = slots(TEN_SECONDS);
    slots.add(0, 0, 0, emitted);
    slots.add(0, 8_000, 3, emitted);
    slots.emitSilent(0, 200_000, emitted);
    slots.add(0, 20_000, 8, emitted);
    assertThat(emitted.inOrder).containsExactly("0@10000=3.0", "0@10000=4.0", "0@20000=8.0");
  }

  @Test
  void shouldNotEmitSilentSlotAgainWhenTheSeriesReturnsAfterAGap() {
    OpenSlots slots = slots(TEN_SECONDS);
    slots.add(0, 0, 0, emitted);
    slots.add(0, 8_000, 3, emitted);
    slots.emitSilent(0, 200_000, emitted);
    slots.add(0, 200_000, 8, emitted);
    slots.add(0, 210_000, 9, emitted);
    assertThat(emitted.inOrder).containsExactly("0@10000=3.0", "0@210000=9.0");
  }

  @Test
  void shouldEmitOpenSlotOnceEnoughTimeIsKnown() {
    OpenSlots slots = slots(TEN_SECONDS, MINUTE);
    slots.add(0, 0, 0, emitted);
    slots.add(0, 20_000, 4, emitted);
    slots.emitOpen(0, 1, emitted);
    assertThat(emitted.secondArchive).as("20 s of 60 are below xff 0.5").isEmpty();
    slots.add(0, 35_000, 8, emitted);
    slots.emitOpen(0, 1, emitted);
    slots.emitOpen(0, 1, emitted);
    double open = (20 * 4 + 15 * 8) / 35.0;
    assertThat(emitted.inOrder.subList(3, emitted.inOrder.size())).hasSize(1);
    assertThat(emitted.secondArchive.get(60_000L)).isEqualTo(open);
    slots.add(0, 60_000, 1, emitted);
    double closed = (20 * 4 + 15 * 8 + 25) / 60.0;
    assertThat(emitted.secondArchive.get(60_000L)).isCloseTo(closed, within());
  }

  @Test
  void shouldEmitTheOpenFinestSlotOnceWhenEnoughOfItIsKnown() {
    OpenSlots slots = slots(TEN_SECONDS, MINUTE);
    slots.add(0, 0, 0, emitted);
    slots.add(0, 4_999, 1, emitted);
    slots.emitOpenFinest(0, emitted);
    assertThat(emitted.inOrder).as("4.999 s of 10 are below xff 0.5").isEmpty();
    slots.add(0, 6_000, 7, emitted);
    slots.emitOpenFinest(0, emitted);
    double open = (4.999 * 1 + 1.001 * 7) / 6;
    assertThat(emitted.firstArchive.get(10_000L)).isCloseTo(open, within());
    slots.add(0, 8_000, 100, emitted);
    slots.emitOpenFinest(0, emitted);
    assertThat(emitted.inOrder).as("not for every point").hasSize(1);
    slots.add(0, 10_000, 1, emitted);
    slots.emitOpenFinest(0, emitted);
    double closed = (4.999 * 1 + 1.001 * 7 + 2 * 100 + 2 * 1) / 10;
    assertThat(emitted.inOrder).as("nothing is known of the next slot").hasSize(2);
    assertThat(emitted.firstArchive.get(10_000L)).isCloseTo(closed, within());
  }

  @Test
  void shouldNotEmitAnOpenSlotAgainThatClosesWithoutAnotherPoint() {
    OpenSlots slots = slots(TEN_SECONDS);
    slots.add(0, 0, 0, emitted);
    slots.add(0, 8_000, 3, emitted);
    slots.emitOpenFinest(0, emitted);
    slots.emitSilent(0, 200_000, emitted);
    slots.add(0, 200_000, 8, emitted);
    assertThat(emitted.inOrder).containsExactly("0@10000=3.0");
  }

  @Test
  void shouldNotEmitAnOpenFinestSlotThatAReplayHasOnlyInPart() {
    OpenSlots slots = slots(TEN_SECONDS);
    slots.add(0, 0, 0, emitted);
    rewind(slots, 0, 0);
    slots.add(0, 1_000, 5, emitted);
    slots.add(0, 9_000, 7, emitted);
    slots.emitOpenFinest(0, emitted);
    assertThat(emitted.inOrder).isEmpty();
    slots.add(0, 16_000, 9, emitted);
    slots.emitOpenFinest(0, emitted);
    assertThat(emitted.inOrder).containsExactly("0@20000=9.0");
  }

  @Test
  void shouldSurviveBeingWrittenAndRead() throws IOException {
    OpenSlots slots = slots(TEN_SECONDS, MINUTE);
    slots.add(1, 0, 0, emitted);
    slots.add(1, 25_000, 5, emitted);
    OpenSlots read = slots(TEN_SECONDS, MINUTE);
    assertThat(OpenSlotsCodec.read(read, written(slots), (series, untilMs) -> {}))
        .containsExactly(0, 1);
    read.add(1, 60_000, 10, emitted);
    assertThat(emitted.firstArchive.get(30_000L)).isEqualTo(7.5);
    assertThat(emitted.secondArchive.get(60_000L)).isCloseTo((25 * 5 + 35 * 10) / 60.0, within());
    assertThat(read.lastMs(0)).as("never had a point").isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void shouldCarryOpenSlotsIntoChangedArchives() throws IOException {
    OpenSlots slots = slots(TEN_SECONDS, MINUTE);
    slots.add(0, 0, 0, emitted);
    slots.add(0, 25_000, 5, emitted);
    OpenSlots read = slots(MINUTE, archive(MAX, 60_000, 10, 0.5));
    assertThat(OpenSlotsCodec.read(read, written(slots), (series, untilMs) -> {}))
        .containsExactly(-1, 0);
    read.add(0, 60_000, 10, emitted);
    assertThat(emitted.firstArchive.get(60_000L)).isCloseTo((25 * 5 + 35 * 10) / 60.0, within());
    assertThat(emitted.secondArchive).containsEntry(60_000L, 10.0);
  }

  @Test
  void shouldTreatTheNextPointOfAForgottenSeriesAsItsFirst() {
    OpenSlots slots = slots(TEN_SECONDS, MINUTE);
    slots.add(0, 0, 0, emitted);
    slots.add(0, 38_000, 3, emitted);
    slots.forget(0);
    emitted.forget();
    assertThat(slots.lastMs(0)).isEqualTo(Long.MIN_VALUE);
    assertThat(slots.lateMs(0)).isEqualTo(Long.MIN_VALUE);
    assertThat(slots.lastEndMs(0)).isEqualTo(Long.MIN_VALUE);
    assertThat(slots.add(0, 24_000, 5, emitted)).isEqualTo(Verdict.FIRST);
    slots.add(0, 60_000, 7, emitted);
    assertThat(emitted.firstArchive.keySet()).containsExactly(30_000L, 40_000L, 50_000L, 60_000L);
    assertThat(emitted.secondArchive).containsEntry(60_000L, 7.0);
  }

  @Test
  void shouldNotEmitTheIncompleteSlotsOfAReplay() throws IOException {
    OpenSlots slots = slots(TEN_SECONDS, MINUTE);
    slots.add(0, 0, 0, emitted);
    slots.add(0, 90_000, 3, emitted);
    rewind(slots, 0, 0);
    rewind(slots, 1, 0);
    emitted.forget();
    OpenSlots read = slots(TEN_SECONDS, MINUTE);
    OpenSlotsCodec.read(read, written(slots), (series, untilMs) -> {});
    assertThat(read.add(0, 24_000, 5, emitted)).isEqualTo(Verdict.FIRST);
    read.add(0, 58_000, 7, emitted);
    read.emitSilent(0, 1_000_000, emitted);
    read.emitOpen(0, 1, emitted);
    assertThat(emitted.secondArchive).as("only 36 s of the minute are known").isEmpty();
    read.add(0, 120_000, 9, emitted);
    assertThat(emitted.firstArchive.firstKey()).as("(20 s, 30 s] is not whole").isEqualTo(40_000L);
    assertThat(emitted.secondArchive).containsExactly(Map.entry(120_000L, 9.0));

    emitted.forget();
    read.add(1, 4_000, 1, emitted);
    read.add(1, 20_000, 2, emitted);
    assertThat(emitted.firstArchive.firstKey()).as("a series that was new then").isEqualTo(10_000L);
  }

  @Test
  void shouldEmitTheSlotThatStartsAtTheFirstPointOfAReplay() {
    OpenSlots slots = slots(TEN_SECONDS, MINUTE);
    slots.add(0, 0, 0, emitted);
    rewind(slots, 0, 0);
    slots.add(0, 60_000, 5, emitted);
    slots.add(0, 120_000, 7, emitted);
    assertThat(emitted.inOrder).contains("0@70000=7.0", "1@120000=7.0");
  }

  @Test
  void shouldExcludeASilenceInWhichPointsBeforeAReplayMayLie() {
    OpenSlots slots = slots(TEN_SECONDS);
    slots.add(0, 0, 0, emitted);
    rewind(slots, 0, 60_000);
    slots.add(0, 0, 1, emitted);
    slots.add(0, 50_000, 1, emitted);
    slots.add(0, 175_000, 1, emitted); // a point up to 60 s, not replayed, would make 115 s of 125
    slots.add(0, 200_000, 1, emitted);
    assertThat(emitted.firstArchive.keySet()).containsExactly(190_000L, 200_000L);
  }

  @Test
  void shouldReturnTheEndOfTheLastSlotOfASeries() {
    OpenSlots slots = slots(TEN_SECONDS, MINUTE);
    slots.add(0, 61_000, 0, emitted);
    assertThat(slots.lastEndMs(0)).isEqualTo(120_000);
    slots.add(0, 120_000, 0, emitted);
    assertThat(slots.lastEndMs(0)).isEqualTo(120_000);
    assertThat(slots.lateMs(0)).isEqualTo(120_000);
    assertThat(slots.lastEndMs(1)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void shouldDiscardOpenSlotsWhenWhisperModeIsSwitched() throws IOException {
    OpenSlots whisper =
        new OpenSlots(10_000, 0, ConsolidationFunction.LAST, List.of(TEN_SECONDS), 1);
    whisper.add(0, 3_000, 7, emitted);
    OpenSlots backward = slots(TEN_SECONDS);
    OpenSlotsCodec.read(backward, written(whisper), (series, untilMs) -> {});
    backward.add(0, 10_000, 1, emitted);
    assertThat(emitted.firstArchive).containsOnly(Map.entry(10_000L, 1.0));
  }

  private static DataInputStream written(OpenSlots slots) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    OpenSlotsCodec.write(slots, new DataOutputStream(bytes));
    return new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
  }

  private static org.assertj.core.data.Offset<Double> within() {
    return org.assertj.core.data.Offset.offset(1e-12);
  }
}
