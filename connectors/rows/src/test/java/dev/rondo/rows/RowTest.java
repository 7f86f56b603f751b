package dev.rondo.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

class RowTest {
  private static final double UNKNOWN = Double.NaN;
  private static final Row.Key KEY =
      new Row.Key(new Bundle("default", "wmean", 10_000, 6), 65536, 3);

  @Test
  void shouldMergeKnownValuesOfSameSlot() {
    Row merged = row(30_000, 1, 2, UNKNOWN).then(row(30_000, UNKNOWN, 5, 6), WriteMode.OVERWRITE);
    assertThat(merged.dp()).containsExactly(1, 5, 6);
  }

  @Test
  void shouldMergeShorterOverLonger() {
    Row merged = row(30_000, 1, 2, 3).then(row(30_000, 4), WriteMode.OVERWRITE);
    assertThat(merged.dp()).containsExactly(4, 2, 3);
  }

  @Test
  void shouldMergeLongerOverShorter() {
    Row merged = row(30_000, 1).then(row(30_000, UNKNOWN, UNKNOWN, 3), WriteMode.OVERWRITE);
    assertThat(merged.dp()).containsExactly(1, UNKNOWN, 3);
  }

  @Test
  void shouldReplaceByNewerSlot() {
    Row newer = row(90_000, UNKNOWN, 7);
    assertThat(row(30_000, 1, 2, 3).then(newer, WriteMode.OVERWRITE)).isSameAs(newer);
  }

  @Test
  void shouldIgnoreOlderSlot() {
    Row held = row(90_000, 1);
    assertThat(held.then(row(30_000, 2, 3), WriteMode.OVERWRITE)).isSameAs(held);
  }

  @Test
  void shouldKeepKnownValuesWhereItFills() {
    Row merged = row(30_000, 1, UNKNOWN).then(row(30_000, 4, 5, 6), WriteMode.FILL);
    assertThat(merged.dp()).containsExactly(1, 5, 6);
  }

  @Test
  void shouldRemoveWhatEitherRemoves() {
    Row merged =
        new Row(KEY, 200, 30_000, new double[0], BitSet.valueOf(new long[] {1}))
            .then(row(30_000), WriteMode.OVERWRITE)
            .then(
                new Row(KEY, 200, 30_000, new double[] {7}, BitSet.valueOf(new long[] {4})),
                WriteMode.OVERWRITE);
    assertThat(merged.unknown().stream()).containsExactly(0, 2);
    assertThat(merged.dp()).containsExactly(7);
  }

  @Test
  void shouldLeaveItsOwnValuesAlone() {
    Row first = row(30_000, 1, UNKNOWN);
    assertThat(first.then(row(30_000, 9, 9), WriteMode.OVERWRITE).dp()).containsExactly(9, 9);
    assertThat(first.dp()).containsExactly(1, UNKNOWN);
  }

  private static Row row(long endMs, double... dp) {
    return new Row(KEY, 200, endMs, dp);
  }
}
