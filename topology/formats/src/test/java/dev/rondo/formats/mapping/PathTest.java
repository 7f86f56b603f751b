package dev.rondo.formats.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathTest {
  @Test
  void shouldFindLoopsAndSteps() {
    Path path = Path.parse("a.b[].c[][].d.e?");
    assertThat(path.loops()).containsExactly(List.of("a", "b"), List.of("c"), List.of());
    assertThat(path.steps()).containsExactly("d", "e");
    assertThat(path.isOptional()).isTrue();
    assertThat(path).hasToString("a.b[].c[][].d.e?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a..b", "[]", "a[0]", "a?.b", "@key", "a.@key", "a[].@key.b", " "})
  void shouldRejectAnythingElse(String text) {
    assertThatThrownBy(() -> Path.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "' is not a path");
  }

  @Test
  void shouldRejectPathsThatIterateOverDifferentLists() {
    List<Mapping.Value> values =
        List.of(Mapping.value(Path.parse("a[].x")), Mapping.value(Path.parse("b[].y")));
    assertThatThrownBy(() -> new Mapping(NamePattern.NONE, List.of(), Optional.empty(), values))
        .hasMessageContaining("'b[].y' and 'a[].x' iterate over different lists");
  }
}
