package dev.rondo.connect.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.rows.Bundle;
import dev.rondo.rows.Capacities;
import dev.rondo.rows.Row;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChunkTest {
  private static final Bundle BUNDLE = new Bundle("p", "wmean", 10_000, 100);

  @Test
  void shouldBeTheRunThatTheIndexIsIn() {
    assertThat(chunks(row(5, 0, 1), row(5, 27, 1), row(5, 28, 1), row(6, 30, 1)))
        .containsExactly(
            new Chunk(9, 5, 0, 27, 8), new Chunk(9, 5, 28, 55, 8), new Chunk(9, 6, 28, 55, 8));
  }

  @Test
  void shouldEndWithTheArchive() {
    assertThat(chunks(row(5, 99, 1))).containsExactly(new Chunk(9, 5, 84, 99, 8));
  }

  @Test
  void shouldHaveRoomForTheLongestOfItsRows() {
    assertThat(chunks(row(5, 1, 1), row(5, 2, 20), row(5, 3, 9)))
        .containsExactly(new Chunk(9, 5, 0, 27, 32));
  }

  private static List<Chunk> chunks(Row... rows) {
    return Chunk.of(Arrays.asList(rows), Map.of(BUNDLE, 9), 28, new Capacities());
  }

  private static Row row(int seg, int i, int used) {
    return new Row(new Row.Key(BUNDLE, seg, i), 116, 0, new double[used]);
  }
}
