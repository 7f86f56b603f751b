package dev.rondo.tools.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckCommandTest {
  @TempDir Path dir;

  /** The script ./rondo shows this help before the first build, so it has a copy. */
  @Test
  void shouldMatchTheHelpOfTheScript() throws IOException {
    String usage = CheckCommand.commandLine().getSubcommands().get("source").getUsageMessage();
    Path generated = Path.of("target/help/check.txt");
    Files.createDirectories(generated.getParent());
    Files.writeString(generated, usage);
    assertThat(Path.of("../../deploy/local/help/check.txt"))
        .as("copy topology/tools/target/help/check.txt to deploy/local/help/")
        .hasContent(usage);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          bench                                      | Unmatched argument at index 0: 'bench'
          source                               | Missing required option: '--topic=TOPIC'
          source --topic t --records 0         | 0 records is less than 1 (--records)
          source --topic t --from soon         | 'soon' is not a time
          source --topic t --from 0:1,0:2      | partition 0 occurs twice (--from)
          source --topic t                     | the topology's settings are missing (--config)
          source --topic t --kafka a:1 --dir b | mutually exclusive
          source --topic t --dir nowhere       | there is no readable file nowhere/topology/topology.properties (--dir, --config)
          source --topic t --config FILE --format grafite   | did you mean 'graphite'? (format)
          source --topic t --config FILE --policy x         | policy 'x' is not one of default: did you mean 'default'? (policy)
          source --topic t --config FILE --template a..b    | (template)
          source --topic t --config FILE --drop-label [     | '[' is not a regular expression: Unclosed character class (labels.drop[0])
          source --topic t --config FILE --rename-label a=name | (labels.rename.a)
          source --topic t --config FILE --sources nowhere  | nowhere: cannot be read
          """)
  void shouldReportWrongUsage(String arguments, String message) throws IOException {
    Path file = dir.resolve("topology.properties");
    Files.writeString(file, "bootstrap.servers=nowhere:1\nstate.dir=state\n");
    var printed = new ByteArrayOutputStream();
    PrintStream err = System.err;
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      int code =
          CheckCommand.commandLine()
              .execute(arguments.replace("FILE", file.toString()).split(" +"));
      assertThat(printed.toString(StandardCharsets.UTF_8)).startsWith("rondo: ").contains(message);
      assertThat(code).isEqualTo(2);
    } finally {
      System.setErr(err);
    }
  }

  @Test
  void shouldNameWhatItCanCheck() {
    var printed = new ByteArrayOutputStream();
    PrintStream err = System.err;
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      assertThat(CheckCommand.commandLine().execute()).isEqualTo(2);
      assertThat(printed.toString(StandardCharsets.UTF_8))
          .isEqualTo(
              "rondo: nothing to check given, expected: source or policies; ./rondo check --help\n");
    } finally {
      System.setErr(err);
    }
  }
}
