package dev.rondo.topology.requests;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.formats.Naming;
import dev.rondo.schemas.CreateSeries;
import dev.rondo.schemas.NewSeries;
import dev.rondo.schemas.Rename;
import dev.rondo.schemas.RenameSeries;
import dev.rondo.schemas.SeriesRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NewIdentsTest {
  private final Naming naming = new Naming(16, 2);

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
  void shouldRejectANewNameThatNoPointCanHave(String to, String message) {
    var renames = new RenameSeries(List.of(new Rename("old", to)));
    assertThatThrownBy(() -> NewIdents.check(new SeriesRequest("", 0L, renames), naming))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void shouldRejectANewSeriesThatNoPointCanHave() {
    var creates = new CreateSeries("", "", List.of(new NewSeries("a..b", 1L, 2L)));
    assertThatThrownBy(() -> NewIdents.check(new SeriesRequest("", 0L, creates), naming))
        .hasMessage("no series can be called 'a..b': it would be 'a.b'");
  }
}
