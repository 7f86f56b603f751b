package dev.rondo.tools.why;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ExitCode;

class WhyCommandTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "``                         ~ Missing required parameter: 'SERIES'",
        "app.*.load                 ~ 'app.*.load' is a pattern or a function, and why is about one",
        "sum(a.b)                   ~ ./rondo series list PATTERN names them",
        ";host=a                    ~ ident has no name: ';host=a'",
        "load;host                  ~ 'host' is not a tag k=v in ident 'load;host'",
        "load --records=0           ~ 0 records are less than 1 (--records)",
        "load --step=10             ~ '10' is not a length of time like 500ms",
        "load --from=soon           ~ 'soon' is not a time",
        "load --config=none         ~ there is no readable file none",
      })
  void shouldSayWhatIsWrong(String arguments, String message) {
    CommandRun run =
        CommandRun.of(
            Commands.commandLine(new WhyCommand()),
            arguments.isEmpty() ? new String[0] : arguments.split(" "));
    assertThat(run.errors()).contains(message);
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void shouldSortTags() {
    assertThat(AskedSeries.of("load;host=b;dc=a", null, null).ident())
        .isEqualTo("load;dc=a;host=b");
    assertThat(AskedSeries.of("load;path=/a(b)", null, null).isTagged()).isTrue();
    assertThat(AskedSeries.of("app.load", null, null).isTagged()).isFalse();
  }
}
