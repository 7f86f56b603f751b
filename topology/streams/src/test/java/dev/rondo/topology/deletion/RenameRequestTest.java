package dev.rondo.topology.deletion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.formats.Naming;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RenameRequestTest {
  @Test
  void shouldReadWhatItWrites() {
    var request = new RenameRequest("a@b", Map.of("load;host=\"ü\"", "x", "y", "z"));
    assertThat(RenameRequest.isOne(request.json())).isTrue();
    assertThat(RenameRequest.parse(request.json())).isEqualTo(request);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"renames\": []} | renames is not an object of idents",
        "{\"renames\": {\"a\": 1}} | renames has a member that is no text: 1",
        "{\"renames\": {\"a\": \";a=b\"}} | ident has no name: ';a=b'",
        "{\"renames\": {\"a\": \"a\"}} | old and new name are the same: a",
        "{\"renames\": {\"a\": \"c\", \"b\": \"c\"}} | is in two renamings: c",
        "{\"renames\": {\"a\": \"b\", \"b\": \"c\"}} | is in two renamings: b",
        "{\"renames\": {}, \"series\": []} | unknown member 'series'"
      })
  void shouldSayWhatIsWrong(String json, String message) {
    assertThatThrownBy(() -> RenameRequest.parse(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a..b                | no series can be called 'a..b': it would be 'a.b'",
        "a b                 | no series can be called 'a b': it would be 'a_b'",
        "a;k=1;b=2           | no series can be called 'a;k=1;b=2': it would be 'a;b=2;k=1'",
        "a;k=                | no series can be called 'a;k=': it would be 'a'",
        "..                  | no name in '..'",
        "a;b=1;c=2;d=3       | 3 tags, more than 2 (ident.max.tags): 'a'",
        "abcdefghijklmnopqrs | name of 19 bytes, more than 16 (ident.max.bytes): 'abcdefghijklmnopqrs'"
      })
  void shouldRefuseANameThatNoPointHas(String to, String message) {
    var request = new RenameRequest("", Map.of("old", to));
    assertThatThrownBy(() -> request.check(new Naming(16, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
