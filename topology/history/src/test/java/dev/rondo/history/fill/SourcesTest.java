package dev.rondo.history.fill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.topology.archive.Archive;
import dev.rondo.topology.archive.ArchiveShape;
import dev.rondo.topology.archive.ConsolidationFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class SourcesTest {
  private static final long S = 1000;
  private static final long M = 60 * S;
  private static final long H = 60 * M;
  private static final long NOW = 472_222 * H;

  private final List<StoredArchive> all = new ArrayList<>();

  @Test
  void shouldReadEachTimeFromTheFinestArchiveThatHasIt() {
    StoredArchive fine = add("wmean", 10 * S, 6 * H, NOW - 100 * H, NOW);
    StoredArchive coarse = add("wmean", M, 24 * H, NOW - 100 * H, NOW);
    StoredArchive hours = add("wmean", H, 1000 * H, NOW - H, NOW);

    assertThat(Sources.of(hours, NOW, all))
        .containsExactly(
            new Sources.Piece(coarse, NOW - 24 * H, NOW - 6 * H),
            new Sources.Piece(fine, NOW - 6 * H, NOW));
  }

  @Test
  void shouldTakeExtremesAndSumsFromMeansOnlyWhereTheyAreFinest() {
    StoredArchive fine = add("wmean", 10 * S, 6 * H, NOW - 100 * H, NOW);
    add("wmean", M, 24 * H, NOW - 100 * H, NOW);
    for (String function : List.of("max", "min", "last", "sum")) {
      StoredArchive hours = add(function, H, 1000 * H, NOW - H, NOW);
      assertThat(Sources.of(hours, NOW, all))
          .containsExactly(new Sources.Piece(fine, NOW - 6 * H, NOW));
      all.remove(hours);
    }
  }

  @Test
  void shouldTakeAnExtremeFromAFinerArchiveOfIt() {
    StoredArchive fine = add("wmean", 10 * S, 6 * H, NOW - 100 * H, NOW);
    StoredArchive minutes = add("max", M, 24 * H, NOW - 100 * H, NOW);
    add("min", M, 48 * H, NOW - 100 * H, NOW);
    StoredArchive hours = add("max", H, 1000 * H, NOW - H, NOW);

    assertThat(Sources.of(hours, NOW, all))
        .containsExactly(
            new Sources.Piece(minutes, NOW - 24 * H, NOW - 6 * H),
            new Sources.Piece(fine, NOW - 6 * H, NOW));
  }

  @Test
  void shouldCopyTheArchiveThatALongerOneReplaces() {
    StoredArchive former = add("wmean", 10 * S, 6 * H, NOW - 100 * H, NOW - H);
    StoredArchive longer = add("wmean", 10 * S, 48 * H, NOW - H + 10 * S, NOW);

    assertThat(Sources.of(longer, NOW - H + 10 * S, all))
        .containsExactly(new Sources.Piece(former, NOW - 7 * H, NOW - H));
  }

  /** A finer slot counts as known even if it was known in part only. */
  @Test
  void shouldCopyTheArchiveThatAnotherLengthReplacesRatherThanReadAFinerOne() {
    StoredArchive fine = add("wmean", 10 * S, 6 * H, NOW - 100 * H, NOW);
    StoredArchive former = add("wmean", M, 24 * H, NOW - 100 * H, NOW - H);
    add("max", M, 24 * H, NOW - 100 * H, NOW);
    StoredArchive shorter = add("wmean", M, 4 * H, NOW - H + M, NOW);

    assertThat(Sources.of(shorter, NOW - H + M, all))
        .containsExactly(
            new Sources.Piece(former, NOW - 4 * H, NOW - H),
            new Sources.Piece(fine, NOW - H, NOW - H + M));
  }

  @Test
  void shouldKeepToTheSpanOfTheArchive() {
    StoredArchive fine = add("wmean", 10 * S, 6 * H, NOW - 100 * H, NOW);
    StoredArchive minutes = add("wmean", M, 2 * H, NOW - H, NOW);

    assertThat(Sources.of(minutes, NOW - H, all))
        .containsExactly(new Sources.Piece(fine, NOW - 2 * H, NOW - H));
  }

  @Test
  void shouldLeaveSlotsOutOfWhichAPartIsMissing() {
    StoredArchive fine = add("wmean", 10 * S, 6 * H, NOW - 150 * M, NOW);
    StoredArchive hours = add("wmean", H, 1000 * H, NOW - H, NOW);

    assertThat(Sources.of(hours, NOW, all))
        .containsExactly(new Sources.Piece(fine, NOW - 2 * H, NOW));
  }

  @Test
  void shouldFindNothingForArchivesThatBeganTogetherOrHaveNoneFiner() {
    StoredArchive fine = add("wmean", 10 * S, 6 * H, NOW - H + 30 * S, NOW);
    StoredArchive minutes = add("wmean", M, 24 * H, NOW - H + M, NOW);
    StoredArchive odd = add("wmean", 15 * S, 24 * H, NOW - 10 * M, NOW);

    assertThat(Sources.of(fine, fine.firstMs(), all)).isEmpty();
    assertThat(Sources.of(minutes, minutes.firstMs(), all)).isEmpty();
    assertThat(Sources.of(odd, odd.firstMs(), all)).isEmpty();

    all.remove(fine); // the first slot of a minute may also be whole
    add("wmean", 10 * S, 6 * H, NOW - H + 10 * S, NOW);
    assertThat(Sources.of(minutes, minutes.firstMs(), all)).isEmpty();
  }

  private StoredArchive add(
      String function, long stepMs, long spanMs, long firstMs, long latestMs) {
    var archive =
        new Archive(
            ConsolidationFunction.valueOf(function.toUpperCase(Locale.ROOT)),
            new ArchiveShape(stepMs, (int) (spanMs / stepMs)),
            0.5);
    var stored = new StoredArchive(all.size() + 1, "p", archive, 116, false, firstMs, latestMs);
    all.add(stored);
    return stored;
  }
}
