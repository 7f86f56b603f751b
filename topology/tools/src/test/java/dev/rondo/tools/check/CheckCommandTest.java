package dev.rondo.tools.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckCommandTest {
  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          bench                                      | Unmatched argument at index 0: 'bench'
          replication --output /etc/hosts      | /etc/hosts exists already (--output)
          source                               | no topic is given (--topic, or --all)
          source --topic t --all               | mutually exclusive
          source --topic t --topics x          | --topics needs --all
          source --topic t --registry http://a --format avro | the schema tells the format (--format)
          source --topic t --registry http://a --schema a.avsc | a schema is either of a registry, or of a file
          source --topic t --message R         | a schema is either of a registry, or of a file
          source --all --schema a.avsc         | --from, --schema and settings of a source need --topic
          source --all --from earliest         | --from, --schema and settings of a source need --topic
          source --all --topics [ --kafka a:1  | '[' is not a regular expression: Unclosed character class (--topics)
          source --all --timeout 0 --kafka a:1 | 0 is less than 1 (--timeout)
          source --all --output /etc/hosts --kafka a:1 | /etc/hosts exists already (--output)
          source --topic t --records 0         | 0 records is less than 1 (--records)
          source --topic t --from soon         | 'soon' is not a time
          source --topic t --from 0:1,0:2      | partition 0 occurs twice (--from)
          access --part sink --kafka a:1       | '--part': expected one of
          source --topic t                     | the topology's settings are missing (--config, RONDO_TOPOLOGY_CONFIG)
          source --topic t --kafka a:1 --dir b | mutually exclusive
          source --topic t --dir nowhere       | there is no readable file nowhere/topology/topology.properties (--dir, --config)
          source --topic t --config FILE --format grafite   | did you mean 'graphite'? (format)
          source --topic t --config FILE --policy x         | policy 'x' is not one of increments, default: did you mean 'default'? (policy)
          source --topic t --config FILE --template a..b    | (template)
          source --topic t --config FILE --drop-label [     | '[' is not a regular expression: Unclosed character class (labels.drop[0])
          source --topic t --config FILE --rename-label a=name | (labels.rename.a)
          source --topic t --config FILE --sources nowhere  | nowhere: cannot be read
          """)
  void shouldReportWrongUsage(String arguments, String message) throws IOException {
    Path file = dir.resolve("topology.properties");
    Files.writeString(file, "bootstrap.servers=nowhere:1\nstate.dir=state\n");

    CommandRun run =
        CommandRun.of(
            Commands.commandLine(new CheckCommand()),
            arguments.replace("FILE", file.toString()).split(" +"));

    assertThat(run.errors()).startsWith("rondo: ").contains(message);
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void shouldNameWhatItCanCheck() {
    CommandRun run = CommandRun.of(Commands.commandLine(new CheckCommand()));

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.errors())
        .isEqualTo(
            "rondo: nothing to check given, expected: source, replication, access or policies; ./rondo check --help\n");
  }
}
