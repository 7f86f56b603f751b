package dev.rondo.connect.postgres.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.kafka.connect.errors.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdentTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "hosts.a.cpu|{\"name\":\"hosts.a.cpu\"}",
        "cpu;dc=ams;host=a|{\"name\":\"cpu\",\"dc\":\"ams\",\"host\":\"a\"}",
        "cpu;host=a;dc=ams|{\"name\":\"cpu\",\"dc\":\"ams\",\"host\":\"a\"}",
        "cpu;q=a=b|{\"name\":\"cpu\",\"q\":\"a=b\"}",
        "cpu;empty=|{\"name\":\"cpu\",\"empty\":\"\"}",
        "a\"b\\c;é=☂|{\"name\":\"a\\\"b\\\\c\",\"é\":\"☂\"}",
      })
  void shouldBecomeJson(String canonical, String json) {
    assertThat(Ident.parse(canonical).json()).isEqualTo(json);
  }

  @Test
  void shouldEscapeControlCharacters() {
    assertThat(Ident.parse("a\tb\u0001").json()).isEqualTo("{\"name\":\"a\\tb\\u0001\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ";k=v", "cpu;", "cpu;k", "cpu;=v", "cpu;k=1;k=2", "cpu;name=x"})
  void shouldRefuse(String canonical) {
    assertThatThrownBy(() -> Ident.parse(canonical))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("'" + canonical + "'");
  }
}
