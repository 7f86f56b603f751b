package dev.rondo.topology.drops;

import static dev.rondo.formats.DropReason.LATE;
import static dev.rondo.formats.DropReason.UNKNOWN_SCHEMA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DropTotalsTest {
  @TempDir Path dir;

  private Path file() {
    return dir.resolve("drops");
  }

  @Test
  void shouldHaveAReasonInTheFileOnceItIsAdded() throws Exception {
    assertThat(DropTotals.read(file())).isEmpty();
    DropTotals totals = DropTotals.start(file());

    totals.add(UNKNOWN_SCHEMA);
    assertThat(DropTotals.read(file())).isEqualTo(Map.of(UNKNOWN_SCHEMA, 1L));
    totals.add(LATE);
    assertThat(DropTotals.read(file())).isEqualTo(Map.of(UNKNOWN_SCHEMA, 1L, LATE, 1L));

    totals.add(LATE);
    await().untilAsserted(() -> assertThat(DropTotals.read(file())).containsEntry(LATE, 2L));
    totals.close();
  }

  @Test
  void shouldContinueTheTotalsOfAFile() throws Exception {
    try (DropTotals before = DropTotals.start(file())) {
      before.add(LATE);
      before.add(LATE);
    }
    assertThat(DropTotals.read(file())).isEqualTo(Map.of(LATE, 2L));

    try (DropTotals after = DropTotals.start(file())) {
      after.add(LATE);
    }
    assertThat(DropTotals.read(file())).isEqualTo(Map.of(LATE, 3L));
  }

  @Test
  void shouldNotAddAReasonThatItCannotWrite() throws Exception {
    Path folder = Files.createDirectory(dir.resolve("folder"));
    try (DropTotals totals = DropTotals.start(folder.resolve("drops"))) {
      Files.delete(folder);

      assertThatThrownBy(() -> totals.add(LATE))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("drops.file");
      assertThatThrownBy(() -> totals.add(LATE)).isInstanceOf(UncheckedIOException.class);
    }
  }
}
