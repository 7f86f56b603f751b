package dev.rondo.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdentTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hosts.a.cpu|hosts.a.cpu|{}",
        "cpu;dc=ams;host=a|cpu|{dc=ams, host=a}",
        "cpu;host=a;dc=ams|cpu|{dc=ams, host=a}",
        "cpu;q=a=b|cpu|{q=a=b}",
        "cpu;empty=|cpu|{empty=}",
        "größe;é=☂|größe|{é=☂}",
      })
  void shouldParseNameAndTags(String canonical, String name, String tags) {
    Ident ident = Ident.parse(canonical);

    assertThat(ident.name()).isEqualTo(name);
    assertThat(ident.tags().toString()).isEqualTo(tags);
  }

  @Test
  void shouldBeEqualForAnyOrderOfTags() {
    assertThat(Ident.parse("cpu;host=a;dc=ams")).isEqualTo(Ident.parse("cpu;dc=ams;host=a"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ";k=v", "cpu;", "cpu;k", "cpu;=v", "cpu;k=1;k=2", "cpu;name=x", "a;k;l=1"})
  void shouldRejectInvalidIdents(String canonical) {
    assertThatThrownBy(() -> Ident.parse(canonical))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + canonical + "'");
  }
}
