package dev.rondo.connect.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.connect.postgres.changes.Bundle;
import dev.rondo.connect.postgres.changes.Row;
import org.junit.jupiter.api.Test;

class StoredRowTest {
  private static final double UNKNOWN = Double.NaN;
  private static final Row.Key KEY = new Row.Key(new Bundle("p", "wmean", 10_000, 100), 1, 7);

  @Test
  void shouldBeReplacedByANewerSlotInItsOwnLength() {
    var stored = new StoredRow(1, 4, -1, null);
    assertThat(stored.after(row(1, 2), 8)).containsExactly(1, 2, UNKNOWN, UNKNOWN);
    assertThat(stored.after(row(), 8)).containsExactly(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);
    assertThat(stored.after(row(1, 2, 3, 4, UNKNOWN, UNKNOWN), 8)).containsExactly(1, 2, 3, 4);
  }

  @Test
  void shouldGrowWhenItIsTooShort() {
    assertThat(new StoredRow(1, 2, -1, null).after(row(1, 2, 3), 4))
        .containsExactly(1, 2, 3, UNKNOWN);
    assertThat(new StoredRow(1, 1, 0, new double[] {9}).after(row(UNKNOWN, 2), 4))
        .containsExactly(9, 2, UNKNOWN, UNKNOWN);
  }

  @Test
  void shouldTakeKnownValuesOfTheSameSlot() {
    var stored = new StoredRow(1, 3, 0, new double[] {9, 0.0, UNKNOWN});
    assertThat(stored.after(row(UNKNOWN, -0.0, 3), 8)).containsExactly(9, -0.0, 3);
  }

  @Test
  void shouldPeriodWhereNothingIsNew() {
    var stored = new StoredRow(1, 3, 0, new double[] {9, UNKNOWN, 4});
    assertThat(stored.after(row(9, UNKNOWN, 4, UNKNOWN, UNKNOWN), 8)).isNull();
    assertThat(stored.after(row(UNKNOWN), 8)).isNull();
    assertThat(stored.after(row(), 8)).isNull();
    assertThat(new StoredRow(1, 0, 0, new double[0]).after(row(UNKNOWN), 8)).isNull();
  }

  @Test
  void shouldIgnoreAnOlderSlot() {
    var stored = new StoredRow(1, 1, 1, null);
    assertThat(stored.after(row(1, 2, 3), 8)).isNull();
    assertThat(stored.isTooShortFor(row(1, 2, 3))).isFalse();
  }

  private static Row row(double... dp) {
    return new Row(KEY, 100, 0.5, false, "wmean", 70_000, dp);
  }
}
