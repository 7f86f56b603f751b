package dev.rondo.connect.postgres.writing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.rows.Bundle;
import dev.rondo.rows.Row;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RowBatchesTest {
  private static final Bundle FINE = new Bundle("p", "wmean", 10_000, 1000);
  private static final Bundle COARSE = new Bundle("p", "wmean", 60_000, 1000);

  @Test
  void shouldBeOneForOneSlotOfManySegmentsAndBundles() {
    List<Row> rows =
        IntStream.range(0, 100)
            .mapToObj(k -> row(k < 50 ? FINE : COARSE, k % 50, 7 + k / 50))
            .toList();
    assertThat(RowBatches.cut(rows)).containsExactly(rows);
  }

  @Test
  void shouldSetSlotsThatFollowEachOtherApart() {
    assertThat(batches(70, 71, 72, 73, 74, 75, 76, 77, 78, 84))
        .containsExactly("70 77 84", "71 78", "72", "73", "74", "75", "76");
  }

  @Test
  void shouldKeepSlotsTogetherThatAreInOtherPages() {
    assertThat(batches(0, 7, 14, 100)).containsExactly("0 7 14 100");
    assertThat(batches(0, 6, 7, 13)).containsExactly("0 7", "6 13");
  }

  private static List<String> batches(int... indexes) {
    List<Row> rows = Arrays.stream(indexes).mapToObj(i -> row(FINE, 3, i)).toList();
    return RowBatches.cut(rows).stream()
        .map(batch -> String.join(" ", batch.stream().map(r -> "" + r.key().i()).toList()))
        .toList();
  }

  private static Row row(Bundle bundle, int seg, int i) {
    return new Row(new Row.Key(bundle, seg, i), 4, i * 10_000L, new double[] {1});
  }
}
