package dev.rondo.history.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplayCommandTest {
  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          --from 1h                                     | the topic is missing (--topic)
          --topic points                                | the start is missing (--from, --to-earliest, --offsets)
          --topic points --from 1h --overwrite          | --overwrite needs --live
          --live --topic points                         | the beginning of the range is missing (--from)
          --live --topic points --to-earliest           | the beginning of the range is missing (--from)
          --live --topic points --from 1h --workers 0   | 0 workers are less than 1 (--workers)
          --live --topic points --from 1h --rate -1     | -1 points/s are less than 0 (--rate)
          --topic points --from 1h --to-earliest        | mutually exclusive
          --topic points --to-earliest --config FILE --dir x | mutually exclusive
          --topic points --to-earliest --config nowhere | there is no readable file nowhere (--config)
          --topic points --to-earliest --dir nowhere    | there is no readable file nowhere/topology/topology.properties (--dir, --config)
          --topic points --to-earliest                  | the topology's settings are missing (--config, RONDO_TOPOLOGY_CONFIG)
          --topic pints --to-earliest --config FILE     | topic 'pints' is not one of the sources [points]: did you mean 'points'? (--topic)
          --topic points --from never --config FILE     | 'never' is not a time
          --topic points --offsets 0 --config FILE      | '0' is not PARTITION:OFFSET
          """)
  void shouldReportWrongUsage(String arguments, String message) throws IOException {
    Path file = dir.resolve("topology.properties");
    Files.writeString(file, "bootstrap.servers=nowhere:1\nstate.dir=state\n");

    CommandRun run =
        CommandRun.of(
            Commands.commandLine(new ReplayCommand()),
            arguments.replace("FILE", file.toString()).split(" +"));

    assertThat(run.errors()).contains(message).endsWith("; ./rondo replay --help\n");
    assertThat(run.code()).isEqualTo(2);
  }
}
