package dev.rondo.tools.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.tools.command.CommandException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectionTest {
  private static final List<String> SERIES =
      List.of("a", "a.b", "a.c", "a.b.c", "a.x-1", "load;dc=ams;host=web01", "load;host=web02");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "*                            | a",
        "**                           | a a.b a.c a.b.c a.x-1",
        "a.*                          | a.b a.c a.x-1",
        "a.**                         | a.b a.c a.b.c a.x-1",
        "**.c                         | a.c a.b.c",
        "a.{b,x-[0-9]}                | a.b a.x-1",
        "a.{b,{c,d}}                  | a.b a.c",
        "a.[!b]                       | a.c",
        "a.[^bc]*                     | a.x-1",
        "a.?                          | a.b a.c",
        "a.b                          | a.b",
        "a.(b)                        | none",
        "a.[z-a]                      | none",
        "load;host=web02              | load;host=web02",
        "name=load                    | load;dc=ams;host=web01 load;host=web02",
        "name=load dc=                | load;host=web02",
        "name=load dc!=               | load;dc=ams;host=web01",
        "host=~web                    | load;dc=ams;host=web01 load;host=web02",
        "host=~.*2                    | load;host=web02",
        "host=~eb                     | none",
        "host=~web host!=~.*01$       | load;host=web02",
        "name=a.b                     | a.b",
        "seriesByTag('name=load','dc=ams') | load;dc=ams;host=web01",
      })
  void shouldSelect(String arguments, String expected) {
    var isSelected =
        Selection.of(
            arguments.startsWith("seriesByTag")
                ? List.of(arguments)
                : Arrays.asList(arguments.split(" ")));
    assertThat(SERIES.stream().filter(isSelected).collect(Collectors.joining(" ")))
        .isEqualTo(expected == null ? "" : expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a.* b.*         | 'a.*' is not a tag expression: give one PATTERN, or only expressions",
        "name=a b.*      | 'b.*' is not a tag expression",
        "host=           | at least one tag expression must require its tag",
        "host!=web01     | at least one tag expression must require its tag",
        "host=~[         | 'host=~[' has an invalid regex",
        "seriesByTag(a=b | 'seriesByTag(a=b' is not seriesByTag('tag=value', ...)",
      })
  void shouldSayWhatIsWrong(String arguments, String message) {
    List<String> all = Stream.of(arguments.split(" ")).toList();
    assertThatThrownBy(() -> Selection.of(all)).hasMessageStartingWith(message);
  }

  @Test
  void shouldSayThatARegexRecursesTooDeeply() {
    var isSelected = Selection.of(List.of("name=~(?:[a-z]|[.])+$"));
    assertThatThrownBy(() -> isSelected.test("a.b".repeat(20_000)))
        .isInstanceOf(CommandException.class)
        .hasMessageStartingWith("'name=~(?:[a-z]|[.])+$' repeats a group");
  }
}
