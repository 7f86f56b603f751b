package dev.rondo.topology.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.topology.memory.MemoryAccount;
import dev.rondo.topology.memory.MemoryShare;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PendingRowsTest {
  private static final long WALL_MS = 1_000_000;

  private final List<String> sent = new ArrayList<>();
  private final PendingRows.RowSink sink =
      (archive, endMs, values, arrival) ->
          sent.add(archive + "@" + endMs + Arrays.toString(values));
  private final PendingRows rows = rows(MemoryAccount.of(Long.MAX_VALUE).open());

  private static PendingRows rows(MemoryShare memory) {
    return new PendingRows(4, List.of(5_000L, 5_000L), memory, () -> null);
  }

  private void set(int series, double value, int live) {
    rows.set(0, series, 10_000, value, live, 12_000, WALL_MS, sink);
  }

  @Test
  void shouldSendARowWhenEveryLiveSeriesHasAValue() {
    set(2, 3, 2);
    assertThat(sent).isEmpty();
    set(0, 1, 2);
    assertThat(sent).containsExactly("0@10000[1.0, NaN, 3.0]");
    rows.sendLingering(Long.MAX_VALUE, Long.MAX_VALUE, sink);
    assertThat(sent).hasSize(1);
  }

  @Test
  void shouldCountLiveSeriesAndNotValues() {
    set(0, 1, 2);
    set(0, 2, 2);
    assertThat(sent).as("one series set two values").isEmpty();
  }

  @Test
  void shouldSendAPartialRowAfterLingerByStreamTimeOrWallClock() {
    set(1, 7, 3);
    assertThat(rows.sendLingering(12_000 + 4_999, WALL_MS + 4_999, sink)).isFalse();
    assertThat(rows.sendLingering(12_000 + 5_000, WALL_MS, sink)).isTrue();
    set(3, 8, 3);
    assertThat(rows.sendLingering(12_000, WALL_MS + 5_000, sink)).isTrue();
    assertThat(sent).containsExactly("0@10000[NaN, 7.0]", "0@10000[NaN, NaN, NaN, 8.0]");
  }

  @Test
  void shouldSendTheLastPartOfARowAtOnce() {
    set(1, 7, 3);
    rows.sendLingering(12_000, WALL_MS + 5_000, sink);
    set(3, 8, 3);
    assertThat(sent).hasSize(1);
    set(0, 9, 3);
    assertThat(sent).containsExactly("0@10000[NaN, 7.0]", "0@10000[9.0, NaN, NaN, 8.0]");
  }

  @Test
  void shouldSendTheLastOfSeveralPartsAtOnce() {
    set(1, 7, 3);
    rows.sendLingering(12_000, WALL_MS + 5_000, sink);
    set(3, 8, 3);
    rows.sendLingering(12_000, WALL_MS + 5_000, sink);
    set(0, 9, 3);
    assertThat(sent).hasSize(3).endsWith("0@10000[9.0]");
  }

  @Test
  void shouldNotCountAPartWhoseValuesAreSetAgain() {
    set(1, 7, 3);
    set(2, 7, 3);
    rows.sendLingering(12_000, WALL_MS + 5_000, sink);
    set(0, 8, 3);
    assertThat(sent).as("series 1 and 2 were sent").hasSize(2);
    rows.sendLingering(12_000, WALL_MS + 5_000, sink);
    sent.clear();
    set(1, 8, 3);
    rows.sendLingering(12_000, WALL_MS + 5_000, sink);
    set(1, 9, 3);
    set(0, 9, 3);
    assertThat(sent).as("1 was sent and is set again: 2 may be set again too").hasSize(1);
    set(2, 9, 3);
    assertThat(sent).containsExactly("0@10000[NaN, 8.0]", "0@10000[9.0, 9.0, 9.0]");
  }

  @Test
  void shouldSendARowWhoseLingerTimeWasEnded() {
    set(1, 7, 3);
    rows.set(0, 2, 20_000, 8, 3, 12_000, WALL_MS, sink);
    rows.endLinger(0, 10_000);
    rows.endLinger(1, 10_000); // no such row
    assertThat(rows.sendLingering(12_000, WALL_MS, sink)).isTrue();
    assertThat(sent).containsExactly("0@10000[NaN, 7.0]");
  }

  @Test
  void shouldLingerIfTheNumberOfLiveSeriesIsUnknown() {
    set(1, 7, 0);
    set(2, 7, 0);
    assertThat(sent).isEmpty();
  }

  @Test
  void shouldSendTheOldestEarlyAtTheMaximumNumberOfRows() {
    int maxRows = 1024 * 1024 / (4 * 8) / 2;
    for (int n = 2; n < 2 + maxRows; n++) {
      rows.set(1, 0, n * 10_000L, n, 2, 0, WALL_MS, sink);
    }
    assertThat(sent).isEmpty();
    rows.set(1, 0, 10_000, 1, 2, 0, WALL_MS, sink);
    rows.set(1, 0, 1_000_000_000, 7, 2, 0, WALL_MS, sink);
    assertThat(sent).containsExactly("1@20000[2.0]", "1@10000[1.0]");
  }

  @Test
  void shouldRestoreBufferedRows() {
    set(1, 7, 3);
    PendingRows restored = rows(MemoryAccount.of(Long.MAX_VALUE).open());
    rows.forEach(
        (a, endMs, values, arrival) ->
            restored.restore(a, endMs, values, 12_000, WALL_MS, arrival));
    restored.set(0, 0, 10_000, 1, 2, 12_000, WALL_MS, sink);
    assertThat(sent).containsExactly("0@10000[1.0, 7.0]");
  }

  @Test
  void shouldSendTheOldestEarlyWhenTheMemoryIsFull() {
    MemoryShare memory = MemoryAccount.of(2 * (4 * Double.BYTES + PendingRows.ROW_BYTES)).open();
    PendingRows one = rows(memory);
    PendingRows other = rows(memory);
    one.set(0, 0, 10_000, 1, 2, 0, WALL_MS, sink);
    one.set(0, 0, 20_000, 2, 2, 0, WALL_MS, sink);
    other.set(0, 0, 10_000, 3, 2, 0, WALL_MS, sink);
    assertThat(sent).as("other has none to send early").isEmpty();
    one.set(0, 0, 30_000, 4, 2, 0, WALL_MS, sink);
    assertThat(sent).containsExactly("0@10000[1.0]");
    one.sendLingering(0, WALL_MS + 5_000, sink);
    other.sendLingering(0, WALL_MS + 5_000, sink);
    sent.clear();
    one.set(0, 0, 40_000, 5, 2, 0, WALL_MS, sink);
    one.set(0, 0, 50_000, 6, 2, 0, WALL_MS, sink);
    assertThat(sent).as("all rows were sent, so memory is free again").isEmpty();
  }
}
