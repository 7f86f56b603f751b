package dev.rondo.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StoredRowTest {
  private static final double UNKNOWN = Double.NaN;
  private static final Row.Key KEY = new Row.Key(new Bundle("p", "wmean", 10_000, 100), 1, 7);

  @Test
  void shouldBeReplacedByANewerSlotInItsOwnLength() {
    var stored = new StoredRow(1, 4, -1, null);
    assertThat(stored.after(row(1, 2), 8, WriteMode.OVERWRITE))
        .containsExactly(1, 2, UNKNOWN, UNKNOWN);
    assertThat(stored.after(row(), 8, WriteMode.OVERWRITE))
        .containsExactly(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);
    assertThat(stored.after(row(1, 2, 3, 4, UNKNOWN, UNKNOWN), 8, WriteMode.OVERWRITE))
        .containsExactly(1, 2, 3, 4);
  }

  @Test
  void shouldGrowWhenItIsTooShort() {
    assertThat(new StoredRow(1, 2, -1, null).after(row(1, 2, 3), 4, WriteMode.OVERWRITE))
        .containsExactly(1, 2, 3, UNKNOWN);
    assertThat(
            new StoredRow(1, 1, 0, new double[] {9}).after(row(UNKNOWN, 2), 4, WriteMode.OVERWRITE))
        .containsExactly(9, 2, UNKNOWN, UNKNOWN);
  }

  @Test
  void shouldTakeKnownValuesOfTheSameSlot() {
    var stored = new StoredRow(1, 3, 0, new double[] {9, 0.0, UNKNOWN});
    assertThat(stored.after(row(UNKNOWN, -0.0, 3), 8, WriteMode.OVERWRITE))
        .containsExactly(9, -0.0, 3);
  }

  @Test
  void shouldStayWhereNothingIsNew() {
    var stored = new StoredRow(1, 3, 0, new double[] {9, UNKNOWN, 4});
    assertThat(stored.after(row(9, UNKNOWN, 4, UNKNOWN, UNKNOWN), 8, WriteMode.OVERWRITE)).isNull();
    assertThat(stored.after(row(UNKNOWN), 8, WriteMode.OVERWRITE)).isNull();
    assertThat(stored.after(row(), 8, WriteMode.OVERWRITE)).isNull();
    assertThat(new StoredRow(1, 0, 0, new double[0]).after(row(UNKNOWN), 8, WriteMode.OVERWRITE))
        .isNull();
  }

  @Test
  void shouldOnlyTakeUnknownValuesWhereItIsFilled() {
    var stored = new StoredRow(1, 3, 0, new double[] {9, UNKNOWN, UNKNOWN});
    assertThat(stored.after(row(1, 2), 8, WriteMode.FILL)).containsExactly(9, 2, UNKNOWN);
    assertThat(stored.after(row(1, UNKNOWN, UNKNOWN), 8, WriteMode.FILL)).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void shouldRemoveValuesBeforeItTakesOthers(WriteMode mode) {
    var stored = new StoredRow(1, 3, 0, new double[] {9, 8, 7});
    assertThat(stored.after(removing(row(UNKNOWN, 5), 0, 1, 20), 8, mode))
        .containsExactly(UNKNOWN, 5, 7);
    assertThat(stored.after(removing(row(9), 0), 8, mode)).as("the same again").isNull();
    assertThat(stored.after(removing(row(), 3), 8, mode)).as("nothing is there").isNull();
  }

  @Test
  void shouldStayWhereAnotherSlotWouldOnlyBeRemoved() {
    var stored = new StoredRow(1, 3, -1, null);
    assertThat(stored.after(removing(row(), 0), 8, WriteMode.OVERWRITE)).isNull();
    assertThat(stored.after(removing(row(UNKNOWN, 1), 0), 8, WriteMode.OVERWRITE))
        .containsExactly(UNKNOWN, 1, UNKNOWN);
  }

  @Test
  void shouldIgnoreAnOlderSlot() {
    var stored = new StoredRow(1, 1, 1, null);
    assertThat(stored.after(row(1, 2, 3), 8, WriteMode.OVERWRITE)).isNull();
    assertThat(stored.isTooShortFor(row(1, 2, 3))).isFalse();
  }

  private static Row row(double... dp) {
    return new Row(KEY, 100, 70_000, dp);
  }

  private static Row removing(Row row, int... positions) {
    var unknown = new BitSet();
    Arrays.stream(positions).forEach(unknown::set);
    return new Row(row.key(), row.width(), row.endMs(), row.dp(), unknown);
  }
}
