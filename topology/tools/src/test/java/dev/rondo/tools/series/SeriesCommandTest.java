package dev.rondo.tools.series;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ExitCode;

class SeriesCommandTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "``                           ~ nothing to do given, expected: list, top, delete or rename",
        "list                         ~ Missing required parameter: 'PATTERN|TAGEXPR'",
        "list host!=x                 ~ at least one tag expression must require its tag",
        "top --by=topic               ~ expected one of [policy, source, prefix, label]",
        "top --limit=0                ~ 0 is less than 1 (--limit)",
        "delete                       ~ no series given: PATTERN, TAGEXPR or --silent-since",
        "rename a                     ~ expected: OLD NEW, or --file",
        "rename a a                   ~ old and new name are the same: a",
        "rename a.** b.*              ~ 'a.**' and 'b.*' need the same wildcards in the same order",
        "rename a.*x* b.*x*           ~ 'a.*x*' is ambiguous: a node may have one *",
        "rename a.?.* b.?.*           ~ 'a.?.*' has another wildcard than * and **",
        "rename --file=-              ~ --file=- needs --yes",
        "rename --file=none --yes     ~ no such file: none",
      })
  void shouldSayWhatIsWrong(String arguments, String message) {
    CommandRun run =
        CommandRun.of(
            Commands.commandLine(new SeriesCommand()),
            arguments.isEmpty() ? new String[0] : arguments.split(" "));
    assertThat(run.errors()).contains(message);
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
  }
}
