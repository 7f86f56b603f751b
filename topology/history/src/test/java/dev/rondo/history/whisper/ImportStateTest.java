package dev.rondo.history.whisper;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportStateTest {
  @TempDir Path dir;

  @Test
  void shouldKnowWhatAnEarlierImportHasWritten() throws Exception {
    Path file = dir.resolve("import.state");
    try (ImportState state = ImportState.open(file)) {
      assertThat(state.has("p/1")).isFalse();
      state.finish("p/1", "before");
      state.finish("p/2", "same");
      state.finish("p/1", "after");
    }
    Files.writeString(file, "p/3 cut of", StandardOpenOption.APPEND); // it was killed

    try (ImportState state = ImportState.open(file)) {
      assertThat(state.isDone("p/1", "after")).isTrue();
      assertThat(state.isDone("p/1", "before")).isFalse();
      assertThat(state.isDone("p/2", "same")).isTrue();
      assertThat(state.has("p/3")).isFalse();
      state.finish("p/4", "same");
    }
    try (ImportState state = ImportState.open(file)) {
      assertThat(state.isDone("p/4", "same")).isTrue();
      assertThat(state.isDone("p/3", "cut of")).isFalse();
    }
  }
}
